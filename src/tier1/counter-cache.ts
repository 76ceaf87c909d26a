/**
 * The counters as this process knows them, at most a second old: however many ask, the store is read once a second per
 * event, and by one at a time.
 */
import type { Clock } from '../platform/clock.ts';
import { RecentMap } from '../platform/collections/recent-map.ts';
import type { Counters } from './model/counters.ts';

const FRESH_MS = 1_000;
/** Events that do not exist are remembered too, so that asking for them costs the store nothing; but not any number. */
const MOST_EVENTS = 10_000;

interface Known {
  readAt: number;
  counters: Counters | undefined;
}

export interface CounterCacheOptions {
  read: (eventId: string) => Promise<Counters | undefined>;
  /** For spans: one that stands still or jumps would keep old counters. */
  clock: Clock;
}

export class CounterCache {
  readonly #options: CounterCacheOptions;
  readonly #known = new RecentMap<Known>(MOST_EVENTS);
  readonly #reading = new Map<string, Promise<Counters | undefined>>();

  constructor(options: CounterCacheOptions) {
    this.#options = options;
  }

  /** On the spot while they are fresh. */
  find(eventId: string): Counters | undefined | Promise<Counters | undefined> {
    const known = this.#known.get(eventId);
    if (known !== undefined && this.#options.clock.now() - known.readAt < FRESH_MS) return known.counters;
    return this.#reading.get(eventId) ?? this.#read(eventId);
  }

  /** After a change of one's own: the next to ask sees it. */
  forget(eventId: string): void {
    this.#known.delete(eventId);
    this.#reading.delete(eventId);
  }

  #read(eventId: string): Promise<Counters | undefined> {
    const readAt = this.#options.clock.now();
    const reading = this.#options
      .read(eventId)
      .then((counters) => {
        if (this.#reading.get(eventId) === reading) this.#known.set(eventId, { readAt, counters });
        return counters;
      })
      .finally(() => {
        if (this.#reading.get(eventId) === reading) this.#reading.delete(eventId);
      });
    this.#reading.set(eventId, reading);
    return reading;
  }
}
