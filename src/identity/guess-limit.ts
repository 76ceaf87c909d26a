/**
 * Delays guesses: after some failures, each further one doubles the wait, up to a quarter of an hour. A key is forgotten
 * after an hour without failures. Counted in this process, with bounded memory.
 */
import type { Clock } from '../platform/clock.ts';
import { RecentMap } from '../platform/collections/recent-map.ts';

const LONGEST_WAIT_MS = 900_000;
const FORGET_MS = 3_600_000;
const REMEMBERED = 10_000;

interface Failures {
  count: number;
  lastAt: number;
  waitUntil: number;
}

export class GuessLimit {
  readonly #free: number;
  readonly #clock: Clock;
  readonly #failures = new RecentMap<Failures>(REMEMBERED);

  /** `free`: failures without a wait; 0 means no limit. */
  constructor(free: number, clock: Clock) {
    this.#free = free;
    this.#clock = clock;
  }

  /** Counts a failure. Returns 0, or, if the key should have waited, the seconds that it must wait now. */
  fail(key: string): number {
    if (this.#free === 0) return 0;
    const now = this.#clock.now();
    const known = this.#failures.get(key);
    const before = known !== undefined && now - known.lastAt < FORGET_MS ? known : undefined;
    const count = (before?.count ?? 0) + 1;
    const waitMs = count < this.#free ? 0 : Math.min(1_000 * 2 ** Math.min(count - this.#free, 20), LONGEST_WAIT_MS);
    const isEarly = (before?.waitUntil ?? 0) > now;
    const waitUntil = Math.max(before?.waitUntil ?? 0, now + waitMs);
    this.#failures.set(key, { count, lastAt: now, waitUntil });
    return isEarly ? Math.ceil((waitUntil - now) / 1_000) : 0;
  }
}
