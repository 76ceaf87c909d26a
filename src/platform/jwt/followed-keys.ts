/**
 * A key set that is read again and again from its source, so that new keys are accepted and retired ones refused without a
 * restart. While the source is away, the last keys stay: nobody who is in must be put out because a key server is down.
 */
import type { KeySet } from './key-set.ts';
import type { KeySource } from './key-source.ts';
import type { VerifyingKey } from './verifying-key.ts';

export interface FollowedKeysOptions {
  source: KeySource;
  /** How long keys are used before they are read again. */
  refreshMs: number;
  /** Strangers can send tokens with made-up key ids. They cause at most one read per this time. */
  minRefreshMs: number;
  /** A monotonic clock in milliseconds. */
  now: () => number;
  onError?: (error: Error) => void;
}

export class FollowedKeys implements KeySet {
  readonly #options: FollowedKeysOptions;
  #keys: readonly VerifyingKey[] = [];
  #ids = new Set<string>();
  #beganAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: FollowedKeysOptions) {
    this.#options = options;
  }

  get keys(): readonly VerifyingKey[] {
    return this.#keys;
  }

  /** Reads the keys now and from then on. Resolves after the first attempt, whether or not it succeeded. */
  async begin(): Promise<void> {
    await this.refresh();
    this.#timer = setInterval(() => void this.refresh(), this.#options.refreshMs);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** undefined: nothing to wait for, because the key is known or the keys were read just now. */
  findMissing(keyId: string): Promise<void> | undefined {
    if (this.#ids.has(keyId)) return undefined;
    if (this.#reading !== undefined) return this.#reading;
    const isDue = this.#options.now() - this.#beganAt >= this.#options.minRefreshMs;
    return isDue ? this.refresh() : undefined;
  }

  /** Never rejects. */
  refresh(): Promise<void> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #read(): Promise<void> {
    this.#beganAt = this.#options.now();
    try {
      this.#use(await this.#options.source());
    } catch (error) {
      this.#options.onError?.(error as Error);
    }
  }

  /** The same keys again are no change: a verifier would forget all tokens that it remembers. */
  #use(keys: readonly VerifyingKey[]): void {
    if (isSame(keys, this.#keys)) return;
    this.#keys = keys;
    this.#ids = new Set(keys.map(({ id }) => id).filter((id) => id !== undefined));
  }
}

function isSame(left: readonly VerifyingKey[], right: readonly VerifyingKey[]): boolean {
  return (
    left.length === right.length && left.every(({ fingerprint }, index) => fingerprint === right[index]!.fingerprint)
  );
}
