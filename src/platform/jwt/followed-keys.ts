/**
 * A key set that is read again and again from its source, so that new keys are accepted and retired ones refused without a
 * restart. While the source is away, the last keys stay: nobody who is in must be put out because a key server is down.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { KeySet } from './key-set.ts';
import type { KeySource } from './key-source.ts';
import type { VerifyingKey } from './verifying-key.ts';

export interface FollowedKeysOptions {
  source: KeySource;
  /** How long keys are used before they are read again. */
  refreshMs: number;
  /** Strangers can send tokens with invented key ids. They cause at most one read per this time. */
  minRefreshMs: number;
  /** A monotonic clock in milliseconds. */
  now: () => number;
  onError?: (error: Error) => void;
  /**
   * How many callers may wait for the next read that is allowed. A key that appeared just after a read that a stranger
   * caused is then found without refusing anybody. Default: none.
   */
  mostWaiting?: number;
}

export class FollowedKeys implements KeySet {
  readonly #options: FollowedKeysOptions;
  #keys: readonly VerifyingKey[] = [];
  #ids = new Set<string>();
  #beganAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #nextRead: Promise<void> | undefined;
  #waiting = 0;

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

  has(keyId: string): boolean {
    return this.#ids.has(keyId);
  }

  /** undefined: nothing to wait for, because the key is known or the keys were read just now. */
  findMissing(keyId: string): Promise<void> | undefined {
    if (this.has(keyId)) return undefined;
    if (this.#reading === undefined && this.#dueInMs() <= 0) return this.refresh();
    if (this.#waiting < (this.#options.mostWaiting ?? 0)) return this.#waitFor(keyId);
    return this.#reading;
  }

  /** A read that is under way may have begun before the key was published: then the next one counts. */
  async #waitFor(keyId: string): Promise<void> {
    this.#waiting += 1;
    await this.#reading;
    if (!this.has(keyId)) await this.#readWhenDue();
    this.#waiting -= 1;
  }

  /** One read for all who wait. */
  #readWhenDue(): Promise<void> {
    this.#nextRead ??= delay(Math.max(0, this.#dueInMs()), undefined, { ref: false })
      .then(() => this.refresh())
      .finally(() => {
        this.#nextRead = undefined;
      });
    return this.#nextRead;
  }

  #dueInMs(): number {
    return this.#beganAt + this.#options.minRefreshMs - this.#options.now();
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
