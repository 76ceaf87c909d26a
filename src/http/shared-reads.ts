/**
 * Reads of public data from the database. What was just read is shared for a moment, so a crowd that looks at the same
 * page costs a few queries a second. Only what reaches the database counts towards the limit of an address: a visitor of
 * a busy page never does, a client that asks for ever other things does.
 */

import type { Clock } from '../platform/clock.ts';
import { RecentMap } from '../platform/collections/recent-map.ts';
import type { Caller } from '../platform/http-server/callers.ts';
import { addressKey, type RateLimit } from '../platform/rate-limit.ts';
import { AppError } from './errors.ts';

const FRESH_MS = 250;
const MOST_KEPT = 1_000;

export interface SharedReadsOptions {
  perAddress: RateLimit;
  /** A monotonic clock. */
  clock: Clock;
}

export class SharedReads {
  readonly #options: SharedReadsOptions;
  #reads = new RecentMap<{ at: number; answer: Promise<unknown> }>(MOST_KEPT);

  constructor(options: SharedReadsOptions) {
    this.#options = options;
  }

  /** `key` says what is read. */
  read<T>(key: string, caller: Pick<Caller, 'ip'>, load: () => Promise<T>): Promise<T> {
    const now = this.#options.clock.now();
    const known = this.#reads.get(key);
    if (known !== undefined && now - known.at < FRESH_MS) return known.answer as Promise<T>;
    this.count(caller);
    const answer = load();
    this.#reads.set(key, { at: now, answer });
    // A failure is not shared.
    answer.catch(() => this.#reads.delete(key));
    return answer;
  }

  /** Counts a read that is not shared; throws if the address has made too many. */
  count({ ip }: Pick<Caller, 'ip'>): void {
    const { perAddress } = this.#options;
    const address = addressKey(ip);
    const retryAfterSeconds = perAddress.secondsToWait(address);
    if (retryAfterSeconds > 0) throw new AppError('RATE_LIMITED', { retryAfterSeconds });
    perAddress.count(address);
  }

  /** After a change by this process, so that the next request sees it. */
  forget(): void {
    this.#reads = new RecentMap(MOST_KEPT);
  }
}
