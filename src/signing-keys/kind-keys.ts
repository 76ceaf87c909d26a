/** What signs and verifies one kind of token that outside parties verify: secrets, key pairs, or both during a change. */
import type { KeySet } from '../platform/jwt/key-set.ts';
import { createSecretSigningKey, type SigningKey } from '../platform/jwt/signing-key.ts';
import { createSecretKey, keyIdOf, type VerifyingKey } from '../platform/jwt/verifying-key.ts';
import type { KeyRing } from './key-ring.ts';
import { type TokenNames, UNNAMED } from './token-names.ts';

export interface KindKeys {
  currentKey: () => SigningKey;
  keys: KeySet;
  names: TokenNames;
}

export function isKeyRing(keys: KeyRing | KindKeys): keys is KeyRing {
  return Array.isArray(keys);
}

/** The first secret signs (HS256), all verify. */
export function toKindKeys(secrets: KeyRing, names: TokenNames = UNNAMED): KindKeys {
  const current = createSecretSigningKey(secrets[0]);
  return { currentKey: () => current, keys: { keys: toVerifyingKeys(secrets) }, names };
}

export function toVerifyingKeys(secrets: readonly string[]): readonly VerifyingKey[] {
  return secrets.map((secret) => createSecretKey(secret, keyIdOf(secret)));
}

/** For a process that has no private key. */
export function verifyOnly(keys: KeySet, names: TokenNames): KindKeys {
  const currentKey = (): never => {
    throw new Error('this process verifies tokens and cannot sign them');
  };
  return { currentKey, keys, names };
}

/** The keys of several sets. As each of them, it is a new array whenever one of the sets changed, and only then. */
export function joinKeys(...sets: readonly KeySet[]): KeySet {
  let parts = sets.map(({ keys }) => keys);
  let joined = parts.flat();
  return {
    get keys() {
      if (sets.some(({ keys }, index) => keys !== parts[index])) {
        parts = sets.map(({ keys }) => keys);
        joined = parts.flat();
      }
      return joined;
    },
  };
}
