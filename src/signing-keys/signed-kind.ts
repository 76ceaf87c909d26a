/** Signs and verifies one kind of token that outside parties verify: `iss`, `aud`, and the memory of signatures. */
import type { Clock } from '../platform/clock.ts';
import {
  type Claims,
  createTokenSigner,
  createTokenVerifier,
  type TokenSigner,
  type TokenVerifier,
} from '../platform/jwt/tokens.ts';
import type { KeyRing } from './key-ring.ts';
import { isKeyRing, type KindKeys, toKindKeys } from './kind-keys.ts';
import { hasRightNames } from './token-names.ts';

export interface SignedKindOptions<T> {
  typ: string;
  /** A ring: secrets; the first one signs. */
  keys: KeyRing | KindKeys;
  read: (claims: Claims) => T | undefined;
  clock: Clock;
  remembered?: number;
}

export interface SignedKind<T> {
  sign: TokenSigner;
  verify: TokenVerifier<T>;
  /** The id of the key that signs now, if a signature is so costly that tokens should be used again; else undefined. */
  findCostlyKey(): string | undefined;
}

export function createSignedKind<T>({ keys, typ, read, clock, remembered }: SignedKindOptions<T>): SignedKind<T> {
  const { currentKey, keys: accepted, names } = isKeyRing(keys) ? toKindKeys(keys) : keys;
  const sign = createTokenSigner({ typ, currentKey });
  const { written } = names;
  const isNamed = Object.keys(written).length > 0;
  return {
    sign: isNamed ? (claims) => sign({ ...claims, ...written }) : sign,
    verify: createTokenVerifier({
      ...{ keys: accepted, typ, clock },
      ...(remembered === undefined ? {} : { remembered }),
      read: (claims, algorithm) => (hasRightNames(claims, names, algorithm === 'HS256') ? read(claims) : undefined),
    }),
    findCostlyKey() {
      const { algorithm, id } = currentKey();
      return algorithm === 'HS256' ? undefined : id;
    },
  };
}
