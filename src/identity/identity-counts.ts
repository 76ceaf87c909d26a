/**
 * Counts the identities that each address made lately, in this process and over all doors and events. A count halves every five
 * minutes, so it needs no cleanup; the number of addresses is bounded.
 *
 * An identity is counted before it is made, and taken back if it was not: otherwise a thousand simultaneous requests would all
 * be the first.
 */
import type { Clock } from '../platform/clock.ts';
import { RecentMap } from '../platform/collections/recent-map.ts';
import { addressKey, networkKey } from '../platform/rate-limit.ts';
import { type Price, priceOf } from './identity-price.ts';

const HALF_LIFE_MS = 300_000;
const LOAD_HALF_LIFE_MS = 5_000;
const ADDRESSES = 100_000;
/** A longer wait tells a client that cannot solve a challenge nothing more. */
const MAX_WAIT_SECONDS = 60;

export class IdentityCounts {
  readonly #clock: Clock;
  readonly #addresses = new RecentMap<DecayingCount>(ADDRESSES);
  readonly #networks = new RecentMap<DecayingCount>(ADDRESSES);
  readonly #all = new DecayingCount(LOAD_HALF_LIFE_MS);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts an identity of this address, and returns its price. `allowance`: how many are free; 0: all, and none counts. */
  reserve(ip: string, allowance: number): Price {
    if (allowance === 0) return FREE;
    const now = this.#clock.now();
    const address = find(this.#addresses, addressKey(ip)).add(1, now);
    const network = this.#addToNetwork(ip, 1, now);
    const perSecond = (this.#all.add(1, now) * Math.LN2 * 1000) / LOAD_HALF_LIFE_MS;
    return priceOf({ address, network, perSecond }, allowance);
  }

  /** Takes back an identity that was not made. */
  release(ip: string, allowance: number): void {
    if (allowance === 0) return;
    const now = this.#clock.now();
    find(this.#addresses, addressKey(ip)).add(-1, now);
    this.#addToNetwork(ip, -1, now);
    this.#all.add(-1, now);
  }

  /** When a client without a proof of work should try again: when the next identity is free, or later. */
  secondsToWait(ip: string, allowance: number): number {
    const count = find(this.#addresses, addressKey(ip)).add(0, this.#clock.now());
    const halvings = Math.log2(Math.max(1, count) / Math.max(0.5, allowance - 0.5));
    return Math.min(MAX_WAIT_SECONDS, Math.max(1, Math.ceil((halvings * HALF_LIFE_MS) / 1000)));
  }

  #addToNetwork(ip: string, change: number, now: number): number {
    const key = networkKey(ip);
    return key === undefined ? 0 : find(this.#networks, key).add(change, now);
  }
}

const FREE: Price = { steps: 0, load: 1 };

class DecayingCount {
  readonly #halfLifeMs: number;
  #count = 0;
  #at = 0;

  constructor(halfLifeMs: number) {
    this.#halfLifeMs = halfLifeMs;
  }

  /** Returns the count without `change`. */
  add(change: number, now: number): number {
    const before = now <= this.#at ? this.#count : this.#count * 2 ** ((this.#at - now) / this.#halfLifeMs);
    this.#count = Math.max(0, before + change);
    this.#at = Math.max(now, this.#at);
    return before;
  }
}

function find(counts: RecentMap<DecayingCount>, key: string): DecayingCount {
  const known = counts.get(key);
  if (known !== undefined) return known;
  const fresh = new DecayingCount(HALF_LIFE_MS);
  counts.set(key, fresh);
  return fresh;
}
