/**
 * Keeps about the last `limit` entries in two generations. The older one is dropped as a whole when the newer one is half full,
 * and with `unusedMs` also by time: then the size follows how many keys are in use, not how many ever were.
 */
export interface RecentMapOptions {
  /** An entry that was not used for this long is dropped by a later `set`, at the latest after twice the time. */
  unusedMs?: number;
  /** A monotonic clock. */
  now?: () => number;
}

export class RecentMap<T, Key extends string | number = string> {
  readonly #limit: number;
  readonly #unusedMs: number | undefined;
  readonly #now: () => number;
  #newer = new Map<Key, T>();
  #older = new Map<Key, T>();
  /** When the newer generation becomes the older one. */
  #turnsAt: number;

  constructor(limit: number, { unusedMs, now = () => performance.now() }: RecentMapOptions = {}) {
    this.#limit = limit;
    this.#unusedMs = unusedMs;
    this.#now = now;
    this.#turnsAt = unusedMs === undefined ? Number.POSITIVE_INFINITY : now() + unusedMs;
  }

  /** How many entries are in memory; one that was used in both generations counts twice. */
  get size(): number {
    return this.#newer.size + this.#older.size;
  }

  get(key: Key): T | undefined {
    const value = this.#newer.get(key);
    if (value !== undefined) return value;
    const older = this.#older.get(key);
    if (older !== undefined) this.set(key, older);
    return older;
  }

  set(key: Key, value: T): void {
    if (this.#unusedMs !== undefined && this.#now() >= this.#turnsAt) this.#turn();
    else if (this.#newer.size >= this.#limit / 2 && !this.#newer.has(key)) this.#turn();
    this.#newer.set(key, value);
  }

  delete(key: Key): void {
    this.#newer.delete(key);
    this.#older.delete(key);
  }

  #turn(): void {
    this.#older = this.#newer;
    this.#newer = new Map();
    if (this.#unusedMs !== undefined) this.#turnsAt = this.#now() + this.#unusedMs;
  }
}
