/** Keeps about the last `limit` entries in two generations. The older one is dropped as a whole when the newer one is half full. */
export class RecentMap<T, Key extends string | number = string> {
  readonly #limit: number;
  #newer = new Map<Key, T>();
  #older = new Map<Key, T>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  get(key: Key): T | undefined {
    const value = this.#newer.get(key);
    if (value !== undefined) return value;
    const older = this.#older.get(key);
    if (older !== undefined) this.set(key, older);
    return older;
  }

  set(key: Key, value: T): void {
    if (this.#newer.size >= this.#limit / 2 && !this.#newer.has(key)) {
      this.#older = this.#newer;
      this.#newer = new Map();
    }
    this.#newer.set(key, value);
  }

  delete(key: Key): void {
    this.#newer.delete(key);
    this.#older.delete(key);
  }
}
