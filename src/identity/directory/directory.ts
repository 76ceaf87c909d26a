/**
 * The directory as a process reads it: from memory, at most two seconds old. So a request with a key costs no store call,
 * strangers who guess keys reach no store, and operators go on while the store is away. What this process changes counts at
 * once here, and within two seconds everywhere.
 */
import type { Clock } from '../../platform/clock.ts';
import type { DirectoryKind, DirectoryStore } from './directory-store.ts';

export interface DirectoryOptions {
  store: DirectoryStore;
  /** For durations. */
  stopwatch: Clock;
}

const FRESH_MS = 2_000;
/** For an id that is not there: another process may just have created it. */
const FRESH_FOR_UNKNOWN_MS = 250;
/** While the store is away. Nothing can be revoked meanwhile: that needs the store, too. */
const KEPT_MS = 600_000;
/** After a failed read. */
const RETRY_MS = 1_000;

interface Copy {
  entries: ReadonlyMap<string, unknown>;
  readAt: number;
}

export class Directory {
  readonly #options: DirectoryOptions;
  readonly #copies = new Map<DirectoryKind, Copy>();
  readonly #reading = new Map<DirectoryKind, Promise<Copy>>();
  readonly #failedAt = new Map<DirectoryKind, number>();

  constructor(options: DirectoryOptions) {
    this.#options = options;
  }

  /** All of a kind, by id. */
  async read<T>(kind: DirectoryKind): Promise<ReadonlyMap<string, T>> {
    return (await this.#copyOf(kind, FRESH_MS)) as ReadonlyMap<string, T>;
  }

  /** `find` searches what is known; if it finds nothing, then once more what was read just now. */
  async search<T, Found>(
    kind: DirectoryKind,
    find: (entries: ReadonlyMap<string, T>) => Found | undefined,
  ): Promise<Found | undefined> {
    const known = await this.read<T>(kind);
    const found = find(known);
    if (found !== undefined) return found;
    const latest = (await this.#copyOf(kind, FRESH_FOR_UNKNOWN_MS)) as ReadonlyMap<string, T>;
    return latest === known ? undefined : find(latest);
  }

  async create(kind: DirectoryKind, id: string, value: object): Promise<boolean> {
    return this.#change(kind, () => this.#options.store.create(kind, id, value));
  }

  async put(kind: DirectoryKind, id: string, value: object): Promise<void> {
    await this.#change(kind, () => this.#options.store.put(kind, id, value));
  }

  async remove(kind: DirectoryKind, id: string): Promise<boolean> {
    return this.#change(kind, () => this.#options.store.remove(kind, id));
  }

  close(): Promise<void> {
    return this.#options.store.close();
  }

  /** Forgets its copy afterwards, and a read that began before. */
  async #change<T>(kind: DirectoryKind, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } finally {
      this.#reading.delete(kind);
      const copy = this.#copies.get(kind);
      if (copy !== undefined) this.#copies.set(kind, { ...copy, readAt: copy.readAt - FRESH_MS });
      this.#failedAt.delete(kind);
    }
  }

  async #copyOf(kind: DirectoryKind, freshMs: number): Promise<ReadonlyMap<string, unknown>> {
    const now = this.#options.stopwatch.now();
    const copy = this.#copies.get(kind);
    if (copy !== undefined && now - copy.readAt < freshMs) return copy.entries;
    const isKept = copy !== undefined && now - copy.readAt < KEPT_MS;
    const failedAt = this.#failedAt.get(kind) ?? Number.NEGATIVE_INFINITY;
    if (isKept && now - failedAt < RETRY_MS) return copy.entries;
    try {
      return (await this.#load(kind)).entries;
    } catch (error) {
      this.#failedAt.set(kind, this.#options.stopwatch.now());
      if (isKept) return copy.entries;
      throw error;
    }
  }

  /** One read for all that wait for it. */
  #load(kind: DirectoryKind): Promise<Copy> {
    const known = this.#reading.get(kind);
    if (known !== undefined) return known;
    const readAt = this.#options.stopwatch.now();
    const reading = this.#options.store.list(kind).then((entries): Copy => {
      const copy = { entries: new Map(entries.map(({ id, value }) => [id, value])), readAt };
      // A change in between makes it old.
      if (this.#reading.get(kind) === reading) this.#copies.set(kind, copy);
      return copy;
    });
    this.#reading.set(kind, reading);
    const forget = () => {
      if (this.#reading.get(kind) === reading) this.#reading.delete(kind);
    };
    reading.then(forget, forget);
    return reading;
  }
}
