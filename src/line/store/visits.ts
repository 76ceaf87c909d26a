/**
 * The port for everything a visitor does in a line. Each verb is one atomic step, safe to retry after a lost reply, and
 * resolves once its effect is durable. Expected outcomes are values. Only a store that cannot serve throws
 * (StoreUnavailableError), and it never undoes what was promised before.
 *
 * Deliberately absent: listing the visitors of a line, and any way to admit a chosen visitor.
 */
import type { JoinRequest } from '../model/join-requests.ts';
import type { Crowd, InsideStanding, Standing } from '../model/standing.ts';

export interface Visits {
  /**
   * Returns the visitor's place: the existing one, a new one at the end, or straight in. Counts as a sign of life. A
   * request key is kept for 300 s, atomically with the join, and belongs to the parameters it first came with.
   */
  join(eventId: string, visitor: string, options?: JoinOptions): Promise<JoinOutcome>;
  /** Joins with a number that tier 1 assigned. Pass only numbers from a verified token; each is good once. */
  joinWithNumber(
    eventId: string,
    visitor: string,
    number: number,
    options?: LaneOptions,
  ): Promise<JoinWithNumberOutcome>;
  /** Reads where the visitor stands. Counts as a sign of life. Ranks are exact to 100, within 1 % behind. */
  look(eventId: string, visitor: string, options?: AskOptions): Promise<LookOutcome>;
  /**
   * As look, but never begins the session of an admitted visitor, in any kind of room: it tells them that it is their turn,
   * which starts the time to enter. `tokenId` names the one place that is meant: the sign of life counts for no other, and
   * nobody is told anything.
   */
  stay(eventId: string, visitor: string, tokenId?: string, options?: AskOptions): Promise<LookOutcome>;
  /** Begins the session of an admitted visitor. `placeId` names the one place that is meant: see placeIdOf. */
  enter(eventId: string, visitor: string, placeId?: string): Promise<EnterOutcome>;
  /** Reads where the visitor stands, without counting as a sign of life. */
  find(eventId: string, visitor: string): Promise<LookOutcome>;
  /** Gives up the place. `placeId` names the one place that is meant, so that a late call cannot take a newer one. */
  leave(eventId: string, visitor: string, placeId?: string): Promise<LeaveOutcome>;
  /** Moves the place of `from` to `to`. Where both have one, the better place stays. */
  rename(eventId: string, from: string, to: string): Promise<RenameOutcome>;
  /** Notes that the visitor's live connection closed: the place is kept as long as the room's settings say. */
  disconnect(eventId: string, visitor: string): Promise<DisconnectOutcome>;
}

export interface AskOptions {
  /** The caller presents proof of an admission to this event: only the store itself may say that they wait. */
  wasAdmitted?: boolean;
  /** The visitor will not get this answer: a sign of life that tells nobody anything and begins no session. */
  isSign?: boolean;
}

export interface LaneOptions {
  /**
   * Whether a new place goes to the priority lane, where the room has one. The server decides this, never the visitor
   * (invariant 7). An existing place stays in its lane.
   */
  priority?: boolean;
}

export interface JoinOptions extends LaneOptions {
  request?: JoinRequest | undefined;
}

export type NoRoom = { outcome: 'no-room' };
export type JoinOutcome =
  | { outcome: 'joined' | 'already'; standing: Standing; crowd: Crowd }
  /** The same request came before; `standing` is the current one. Counts as a sign of life. */
  | { outcome: 'duplicate'; standing: Standing; crowd: Crowd }
  /** The visitor used this key with other parameters. */
  | { outcome: 'key-reused' }
  | { outcome: 'closed' }
  /** Tier 1 assigns the numbers now. */
  | { outcome: 'number-required' }
  | NoRoom;
export type JoinWithNumberOutcome = JoinOutcome | { outcome: 'used' };
export type LookOutcome = { outcome: 'found'; standing: Standing; crowd: Crowd } | NoRoom;
export type EnterOutcome =
  | { outcome: 'granted'; standing: InsideStanding; crowd: Crowd }
  | { outcome: 'not-ready'; standing: Standing; crowd: Crowd }
  | NoRoom;
export type LeaveOutcome =
  | { outcome: 'left'; from: 'lobby' | 'waiting' | 'admitted' | 'active' }
  | { outcome: 'absent' }
  | NoRoom;
export type DisconnectOutcome = LeaveOutcome | { outcome: 'kept' };
export type RenameOutcome = { outcome: 'renamed' | 'kept' | 'absent' | 'drawing' } | NoRoom;

/** Called once the event is durable, while the visitor waits for the response: must neither block nor throw. */
export interface LineObserver {
  joined(eventId: string): void;
  /** Admitted; in a claim room, ready to enter. `standing` where it is already known. */
  admitted(eventId: string, visitor: string, standing?: InsideStanding): void;
  /** Entered a claim room; may be reported again for the same entry. */
  entered(eventId: string, visitor: string, standing: InsideStanding): void;
}

/** Reports joins and entries to the observer. For admissions by a tick see observeAdmissions. */
export function observeVisits(visits: Visits, observer: LineObserver): Visits {
  function reportJoin<T extends JoinWithNumberOutcome>(eventId: string, visitor: string, outcome: T): T {
    if (outcome.outcome !== 'joined') return outcome;
    observer.joined(eventId);
    const { standing } = outcome;
    if (standing.state === 'admitted' || standing.state === 'active') observer.admitted(eventId, visitor, standing);
    return outcome;
  }

  return {
    join: (eventId, visitor, options) =>
      visits.join(eventId, visitor, options).then((outcome) => reportJoin(eventId, visitor, outcome)),
    joinWithNumber: (eventId, visitor, number, options) =>
      visits.joinWithNumber(eventId, visitor, number, options).then((outcome) => reportJoin(eventId, visitor, outcome)),
    async enter(eventId, visitor, placeId) {
      const outcome = await visits.enter(eventId, visitor, placeId);
      if (outcome.outcome === 'granted') observer.entered(eventId, visitor, outcome.standing);
      return outcome;
    },
    look: (eventId, visitor, options) => visits.look(eventId, visitor, options),
    stay: (eventId, visitor, tokenId, options) => visits.stay(eventId, visitor, tokenId, options),
    find: (eventId, visitor) => visits.find(eventId, visitor),
    leave: (eventId, visitor, tokenId) => visits.leave(eventId, visitor, tokenId),
    rename: (eventId, from, to) => visits.rename(eventId, from, to),
    disconnect: (eventId, visitor) => visits.disconnect(eventId, visitor),
  };
}

/** Reads `observers` on every call, so that one may be added later. */
export function combineObservers(observers: readonly LineObserver[]): LineObserver {
  return {
    joined: (...event) => {
      for (const observer of observers) observer.joined(...event);
    },
    admitted: (...event) => {
      for (const observer of observers) observer.admitted(...event);
    },
    entered: (...event) => {
      for (const observer of observers) observer.entered(...event);
    },
  };
}
