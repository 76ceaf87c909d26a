/**
 * A limit per key and minute, counted in this process. It keeps two generations of counts, so memory is bounded by the
 * keys of two minutes and needs no cleanup.
 */
import type { Clock } from './clock.ts';

const WINDOW_MS = 60_000;

export class RateLimit {
  readonly #limit: number;
  readonly #clock: Clock;
  #window = 0;
  #counts = new Map<string, number>();
  #previous = new Map<string, number>();

  /** `limit` per minute; 0 means no limit. */
  constructor(limit: number, clock: Clock) {
    this.#limit = limit;
    this.#clock = clock;
  }

  /** Seconds until `key` may try again; 0 if it may now. Does not count as an attempt. */
  secondsToWait(key: string): number {
    if (this.#limit === 0) return 0;
    const now = this.#moveToWindow();
    const share = 1 - (now % WINDOW_MS) / WINDOW_MS;
    // A sliding window: the weight of the previous minute's count falls from 1 to 0 during this minute.
    const used = (this.#counts.get(key) ?? 0) + share * (this.#previous.get(key) ?? 0);
    return used < this.#limit ? 0 : Math.ceil((WINDOW_MS - (now % WINDOW_MS)) / 1000);
  }

  count(key: string): void {
    if (this.#limit === 0) return;
    this.#moveToWindow();
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  #moveToWindow(): number {
    const now = this.#clock.now();
    const window = Math.floor(now / WINDOW_MS);
    if (window !== this.#window) {
      this.#previous = window === this.#window + 1 ? this.#counts : new Map();
      this.#counts = new Map();
      this.#window = window;
    }
    return now;
  }
}

/** The part of an address that a household or machine shares: all of IPv4, the first 64 bits of IPv6. */
export function addressKey(ip: string): string {
  const ipv4 = toIpv4(ip);
  return ipv4 ?? `${groupsOf(ip).slice(0, 4).join(':')}::/64`;
}

/**
 * The network that one party often has as a whole: the first 48 bits of IPv6. undefined for IPv4, where neighbours are mostly
 * strangers.
 */
export function networkKey(ip: string): string | undefined {
  return toIpv4(ip) === undefined ? `${groupsOf(ip).slice(0, 3).join(':')}::/48` : undefined;
}

function toIpv4(ip: string): string | undefined {
  if (!ip.includes(':')) return ip;
  return ip.startsWith('::ffff:') && ip.includes('.') ? ip.slice('::ffff:'.length) : undefined;
}

function groupsOf(ip: string): string[] {
  const [head = '', tail] = ip.split('::');
  const left = head.split(':').filter(Boolean);
  const right = tail?.split(':').filter(Boolean) ?? [];
  const zeros = tail === undefined ? [] : new Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0');
  return [...left, ...zeros, ...right];
}
