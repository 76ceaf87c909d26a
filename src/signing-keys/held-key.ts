/**
 * Ids that their holder can prove without anyone's secret. The cookie of a guest or a device has the claim `key`, and the
 * id in `sub` is a hash of it. The line signs the cookie and checks its signature, so that nobody makes identities. A gate
 * that has no secrets checks the hash: the visitor who shows the key is the one whose id is in the token. Logs and the site, which
 * see the id only, cannot show it.
 */
import { hash } from 'node:crypto';
import type { Clock } from '../platform/clock.ts';
import { randomText } from '../platform/crypto/random-text.ts';
import { createTokenVerifier, type TokenVerifier } from '../platform/jwt/tokens.ts';
import type { VerifyingKey } from '../platform/jwt/verifying-key.ts';

export type HolderKind = 'guest' | 'device';

const ID_LENGTH = 16;
const KEY_BYTES = 16;

export interface HeldKey {
  key: string;
  id: string;
}

export function createHeldKey(kind: HolderKind): HeldKey {
  const key = randomText(KEY_BYTES);
  return { key, id: idOfKey(kind, key) };
}

export function idOfKey(kind: HolderKind, key: string): string {
  return hash('sha256', `fairline ${kind} ${key}`, 'base64url').slice(0, ID_LENGTH);
}

export interface HeldKeyVerifierOptions {
  kind: HolderKind;
  typ: string;
  /** Before the id in `sub`. */
  prefix: string;
  clock: Clock;
}

/** Returns the `sub` of a cookie whose `key` hashes to it. Its signature is not checked, and proves nothing here. */
export function createHeldKeyVerifier({ kind, typ, prefix, clock }: HeldKeyVerifierOptions): TokenVerifier<string> {
  return createTokenVerifier({
    ...{ typ, clock, keys: { keys: [ANY_SIGNATURE] } },
    read: ({ sub, key }) => (typeof key === 'string' && sub === prefix + idOfKey(kind, key) ? sub : undefined),
  });
}

/** The proof is the key in the claims. */
const ANY_SIGNATURE: VerifyingKey = { id: undefined, algorithm: 'HS256', fingerprint: 'any', verifies: () => true };
