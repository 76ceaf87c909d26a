/**
 * Caches the counters of each event for a second: the store is read at most once per second and event, by one read at
 * a time, however many requests need them.
 */
import type { Clock } from '../platform/clock.ts';
import { RecentMap } from '../platform/collections/recent-map.ts';
import type { Counters } from './model/counters.ts';

const FRESH_MS = 1_000;
/** Unknown events are cached too, so requests for them do not reach the store. Bounded. */
const MOST_EVENTS = 10_000;
const UNUSED_MS = 60_000;

interface Known {
  readAt: number;
  counters: Counters | undefined;
}

export interface CounterCacheOptions {
  read: (eventId: string) => Promise<Counters | undefined>;
  /** A monotonic clock: one that stops or jumps back would keep stale counters. */
  clock: Clock;
}

export class CounterCache {
  readonly #options: CounterCacheOptions;
  readonly #known: RecentMap<Known>;
  readonly #reading = new Map<string, Promise<Counters | undefined>>();

  constructor(options: CounterCacheOptions) {
    this.#options = options;
    this.#known = new RecentMap(MOST_EVENTS, { unusedMs: UNUSED_MS, now: () => options.clock.now() });
  }

  /** How many events are in memory. */
  get size(): number {
    return this.#known.size;
  }

  /** Synchronous while the cached counters are fresh. */
  find(eventId: string): Counters | undefined | Promise<Counters | undefined> {
    const known = this.#known.get(eventId);
    if (known !== undefined && this.#options.clock.now() - known.readAt < FRESH_MS) return known.counters;
    return this.#reading.get(eventId) ?? this.#read(eventId);
  }

  /** Call after a change by this process, so the next request sees it. */
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
