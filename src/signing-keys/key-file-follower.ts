/** Follows the file with the private keys: a rotation or retirement counts in every process within two seconds. */
import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import type { Clock } from '../platform/clock.ts';
import type { KeySet } from '../platform/jwt/key-set.ts';
import { createPrivateSigningKey, type SigningKey } from '../platform/jwt/signing-key.ts';
import { toVerifyingKey, type VerifyingKey } from '../platform/jwt/verifying-key.ts';
import { readKeyFile } from './key-file.ts';
import { findSigningKey, type KeyState, listAccepted, stateOf, type TokenKey, type TokenKeys } from './key-rules.ts';

const READ_EVERY_MS = 1_000;

/** What verifiers read: a JWKS (RFC 7517). */
export interface PublishedKeys {
  text: string;
  etag: string;
}

export interface KeyFileFollowerOptions {
  path: string;
  clock: Clock;
  onSigned?: (keyId: string) => void;
  /** Told once when the file cannot be read any more, and undefined when it can again. The last keys stay. */
  onFault?: (error: Error | undefined) => void;
}

export class KeyFileFollower implements KeySet {
  readonly #options: KeyFileFollowerOptions;
  #file: TokenKeys = { keys: [] };
  #version = '';
  #hasFault = false;
  #pairs = new Map<string, { signing: SigningKey; verifying: VerifyingKey }>();
  #accepted: readonly TokenKey[] = [];
  #keys: readonly VerifyingKey[] = [];
  #current: SigningKey | undefined;
  #published: PublishedKeys = publish([]);
  #timer: NodeJS.Timeout | undefined;

  constructor(options: KeyFileFollowerOptions) {
    this.#options = options;
  }

  get keys(): readonly VerifyingKey[] {
    return this.#keys;
  }

  get published(): PublishedKeys {
    return this.#published;
  }

  get secretsUntil(): number | undefined {
    return this.#file.secretsUntil;
  }

  currentKey(): SigningKey {
    if (this.#current === undefined) throw new Error('the key file was not read yet');
    return this.#current;
  }

  list(): { id: string; state: KeyState; createdAt: number }[] {
    const now = this.#options.clock.now();
    const { keys } = this.#file;
    return keys.map((key) => ({ id: key.jwk.kid, state: stateOf(key, keys, now), createdAt: key.createdAt }));
  }

  /** Rejects if the file cannot be used. */
  async begin(): Promise<void> {
    await this.#read();
    this.#timer = setInterval(() => void this.runOnce(), READ_EVERY_MS);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Never rejects. */
  async runOnce(): Promise<void> {
    try {
      await this.#read();
      if (this.#hasFault) this.#options.onFault?.(undefined);
      this.#hasFault = false;
    } catch (error) {
      if (!this.#hasFault) this.#options.onFault?.(error as Error);
      this.#hasFault = true;
    }
    // Also without a change of the file: a key begins to sign, another one expires.
    this.#update();
  }

  async #read(): Promise<void> {
    const { mtimeMs, size, ino } = await stat(this.#options.path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return { mtimeMs: 0, size: 0, ino: 0 };
      throw error;
    });
    const version = `${mtimeMs} ${size} ${ino}`;
    if (version === this.#version) return;
    const file = await readKeyFile(this.#options.path);
    this.#pairs = new Map(file.keys.map((key) => [key.jwk.kid, this.#pairs.get(key.jwk.kid) ?? this.#toPair(key)]));
    this.#file = file;
    this.#version = version;
    this.#update();
  }

  #update(): void {
    const now = this.#options.clock.now();
    const { keys } = this.#file;
    const signing = findSigningKey(keys, now);
    if (signing !== undefined) this.#current = this.#pairs.get(signing.jwk.kid)!.signing;
    const accepted = listAccepted(keys, now);
    if (isSame(accepted, this.#accepted)) return;
    this.#accepted = accepted;
    this.#keys = accepted.map(({ jwk }) => this.#pairs.get(jwk.kid)!.verifying);
    this.#published = publish(accepted);
  }

  #toPair({ jwk }: TokenKey): { signing: SigningKey; verifying: VerifyingKey } {
    const key = createPrivateSigningKey(jwk);
    const { onSigned } = this.#options;
    const sign = (text: string) => {
      onSigned?.(key.id);
      return key.sign(text);
    };
    return { signing: { ...key, sign }, verifying: toVerifyingKey({ ...jwk })! };
  }
}

function isSame(left: readonly TokenKey[], right: readonly TokenKey[]): boolean {
  return left.length === right.length && left.every(({ jwk }, index) => jwk.kid === right[index]!.jwk.kid);
}

/** Only the public members, named one by one: a private one must never slip through. */
export function publish(keys: readonly TokenKey[]): PublishedKeys {
  const list = keys.map(({ jwk: { kty, crv, x, y, kid, alg } }) => ({
    ...{ kty, crv, x },
    ...(y === undefined ? {} : { y }),
    ...{ kid, alg, use: 'sig' },
  }));
  const text = JSON.stringify({ keys: list });
  return { text, etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"` };
}
