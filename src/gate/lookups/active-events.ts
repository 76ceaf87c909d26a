/**
 * A cached list of the events with tier 1 switched on. Until the first successful lookup it counts all events as active:
 * a visitor sent to tier 1 by mistake is admitted there, but a visitor passed by mistake cannot be called back.
 */
import { RecentMap } from '../../platform/collections/recent-map.ts';
import { canonicalOf, readingsOf } from '../decision/event-spellings.ts';

export type EventList = readonly string[] | 'all';

export interface ActiveEventsOptions {
  /** Looks up the current list. */
  list: () => Promise<EventList>;
  /** A monotonic clock in ms. */
  now: () => number;
  /** The list until the first lookup; `all` by default. */
  initial?: EventList;
}

/** After this age the list is refreshed in the background. */
const FRESH_MS = 1_000;
/** After this age requests wait for the refresh, so a switch takes effect within 2 s. */
const STALE_MS = 1_900;
const RESPELLED_REMEMBERED = 1_000;

export class ActiveEvents {
  readonly #options: ActiveEventsOptions;
  #events: EventList = 'all';
  #known: ReadonlySet<string> = new Set();
  /** Whether events that are not listed are spellings of one that is. */
  #respelled = new RecentMap<boolean>(RESPELLED_REMEMBERED);
  #fetchedAt = Number.NEGATIVE_INFINITY;
  #triedAt = Number.NEGATIVE_INFINITY;
  #refreshing: Promise<void> | undefined;
  /** Whether the last lookup failed. Requests do not wait for another one then: they would wait for a line that is down. */
  #hasFailed = false;

  constructor(options: ActiveEventsOptions) {
    this.#options = options;
    this.#set(options.initial ?? 'all');
  }

  get events(): EventList {
    return this.#events;
  }

  /** Also true for another spelling of an active event: a respelled id must not evade tier 1. */
  has(eventId: string): boolean {
    if (this.#events === 'all' || this.#known.has(eventId)) return true;
    const known = this.#respelled.get(eventId);
    if (known !== undefined) return known;
    const found = this.#isRespelled(eventId);
    this.#respelled.set(eventId, found);
    return found;
  }

  #isRespelled(eventId: string): boolean {
    for (const reading of readingsOf(eventId)) if (this.#known.has(reading)) return true;
    return false;
  }

  /** A promise to await before deciding; undefined if the list is fresh enough. If the lookup fails, the last list stays. */
  refresh(): Promise<void> | undefined {
    const now = this.#options.now();
    if (now - this.#fetchedAt < FRESH_MS) return undefined;
    if (now - this.#triedAt >= FRESH_MS) this.#refreshing ??= this.#fetch(now);
    return now - this.#fetchedAt < STALE_MS || this.#hasFailed ? undefined : this.#refreshing;
  }

  async #fetch(now: number): Promise<void> {
    this.#triedAt = now;
    try {
      this.#set(await this.#options.list());
      this.#fetchedAt = now;
      this.#hasFailed = false;
    } catch {
      this.#hasFailed = true;
      // Retried after FRESH_MS.
    } finally {
      this.#refreshing = undefined;
    }
  }

  #set(events: EventList): void {
    this.#events = events;
    this.#respelled = new RecentMap(RESPELLED_REMEMBERED);
    this.#known = new Set(events === 'all' ? [] : events.flatMap((event) => [event, canonicalOf(event)]));
  }
}

/** For a list that is part of the configuration. */
export function fixedEvents(events: EventList): ActiveEventsOptions {
  return { initial: events, list: async () => events, now: () => 0 };
}
