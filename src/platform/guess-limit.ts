/**
 * Limits guesses per key, in this process. An attempt counts before it is checked, so parallel attempts cannot pass
 * the limit; the caller takes it back if it was right or was not checked. After `free` wrong attempts each further one has to
 * wait, and the wait doubles.
 */
import { createHash } from 'node:crypto';
import type { Clock } from './clock.ts';
import { RecentMap } from './collections/recent-map.ts';

export interface GuessLimitOptions {
  /** Wrong attempts before the first wait; 0: no limit. */
  free: number;
  /** The first wait; each wrong attempt doubles it. */
  firstWaitMs: number;
  clock: Clock;
}

interface Guesses {
  wrong: number;
  /** No attempt before this time. */
  opensAt: number;
  latestAt: number;
}

const LONGEST_WAIT_MS = 15 * 60_000;
/** Longer than the longest wait, so that waiting alone does not give new free attempts. */
const FORGOTTEN_AFTER_MS = 60 * 60_000;
/** About 10 MB. An attacker needs a password attempt for each key, and those are limited by address. */
const REMEMBERED = 50_000;

export class GuessLimit {
  readonly #options: GuessLimitOptions;
  readonly #guesses = new RecentMap<Guesses>(REMEMBERED);

  constructor(options: GuessLimitOptions) {
    this.#options = options;
  }

  /** Seconds until `key` may try again; 0 if it may now. */
  secondsToWait(key: string): number {
    const found = this.#find(toId(key));
    return found === undefined ? 0 : Math.max(0, Math.ceil((found.opensAt - this.#options.clock.now()) / 1000));
  }

  count(key: string): void {
    const { free, firstWaitMs, clock } = this.#options;
    if (free === 0) return;
    const id = toId(key);
    const wrong = (this.#find(id)?.wrong ?? 0) + 1;
    const now = clock.now();
    const waitMs = wrong < free ? 0 : Math.min(LONGEST_WAIT_MS, firstWaitMs * 2 ** (wrong - free));
    this.#guesses.set(id, { wrong, opensAt: now + waitMs, latestAt: now });
  }

  /** Takes one attempt back. */
  takeBack(key: string): void {
    const id = toId(key);
    const found = this.#find(id);
    if (found === undefined) return;
    const wrong = found.wrong - 1;
    this.#guesses.set(id, { ...found, wrong, opensAt: wrong < this.#options.free ? 0 : found.opensAt });
  }

  /** Forgets all attempts of the key. */
  forget(key: string): void {
    this.#guesses.delete(toId(key));
  }

  #find(id: string): Guesses | undefined {
    const found = this.#guesses.get(id);
    const isOver = found !== undefined && this.#options.clock.now() - found.latestAt > FORGOTTEN_AFTER_MS;
    return isOver ? undefined : found;
  }
}

/** Keys contain what a caller typed, so they are brought to one length. */
function toId(key: string): string {
  return createHash('sha256').update(key).digest('base64url').slice(0, 22);
}
