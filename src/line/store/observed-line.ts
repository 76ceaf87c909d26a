/** A line whose comings and goings are also told to somebody: to whoever counts them, or passes them on. */
import type { InsideStanding } from '../model/standing.ts';
import type { TickOutcome } from './admissions.ts';
import type { LineStore } from './line-store.ts';
import type { JoinOutcome, JoinWithNumberOutcome } from './visits.ts';

/** Told after it is certain, in the path of whoever waits for it: it must neither take time nor throw. */
export interface LineObserver {
  joined(eventId: string): void;
  /** Let in; in a claim room, told that they may come. `standing` where it is known by now. */
  admitted(eventId: string, visitor: string, standing?: InsideStanding): void;
  /** Came in, in a claim room; may be told again for the same entry. */
  entered(eventId: string, visitor: string, standing: InsideStanding): void;
}

/** Everything else is the store's own. */
export function observeLine(store: LineStore, observer: LineObserver): LineStore {
  const observed: Partial<LineStore> = {
    join: (eventId, visitor, options) =>
      store.join(eventId, visitor, options).then((outcome) => noteJoin(eventId, visitor, outcome)),
    joinWithNumber: (eventId, visitor, number, options) =>
      store.joinWithNumber(eventId, visitor, number, options).then((outcome) => noteJoin(eventId, visitor, outcome)),
    async enter(eventId, visitor, tokenId) {
      const outcome = await store.enter(eventId, visitor, tokenId);
      if (outcome.outcome === 'granted') observer.entered(eventId, visitor, outcome.standing);
      return outcome;
    },
    async tick(eventId): Promise<TickOutcome> {
      const outcome = await store.tick(eventId);
      if (outcome.outcome === 'ticked') {
        for (const { visitor } of outcome.admitted) observer.admitted(eventId, visitor);
      }
      return outcome;
    },
  };

  function noteJoin<T extends JoinOutcome | JoinWithNumberOutcome>(eventId: string, visitor: string, outcome: T): T {
    if (outcome.outcome !== 'joined') return outcome;
    observer.joined(eventId);
    const { standing } = outcome;
    if (standing.state === 'admitted' || standing.state === 'active') observer.admitted(eventId, visitor, standing);
    return outcome;
  }

  return Object.assign(boundTo(store), observed);
}

/** Whoever tells several things to several observers. */
export function combineObservers(observers: readonly LineObserver[]): LineObserver {
  return {
    joined: (...news) => {
      for (const observer of observers) observer.joined(...news);
    },
    admitted: (...news) => {
      for (const observer of observers) observer.admitted(...news);
    },
    entered: (...news) => {
      for (const observer of observers) observer.entered(...news);
    },
  };
}

/** The methods of a store as plain functions: a store's state is its own, and reached by nobody but itself. */
function boundTo(store: LineStore): LineStore {
  const methods: Record<string, unknown> = {};
  for (let owner: object = store; owner !== Object.prototype; owner = Object.getPrototypeOf(owner)) {
    for (const name of Object.getOwnPropertyNames(owner)) {
      const member = Reflect.get(store, name);
      if (typeof member === 'function' && name !== 'constructor') methods[name] ??= member.bind(store);
    }
  }
  return methods as unknown as LineStore;
}
