/**
 * The rules of the keys that sign tokens: which one signs, which ones are accepted, what a rotation changes. Pure. A key is
 * published before it signs, so that every verifier knows it by then, and accepted until its last token has expired.
 */
export const keyAlgorithms = ['EdDSA', 'ES256'] as const;
export type KeyAlgorithm = (typeof keyAlgorithms)[number];

/** A key pair as a private JWK (RFC 7517), and when it signs. Times are in ms. */
export interface TokenKey {
  jwk: Readonly<Record<string, string>> & { kid: string; alg: KeyAlgorithm };
  createdAt: number;
  signsFrom: number;
}

export interface TokenKeys {
  keys: readonly TokenKey[];
  /** Until then tokens are accepted too that were signed with secrets, before there were keys. */
  secretsUntil?: number;
}

export type KeyState = 'next' | 'signs' | 'accepted' | 'expired';

/** The longest that a token can be valid: a staff pass. */
export const LONGEST_TOKEN_MS = 30 * 24 * 3_600_000;
/** A process that learns of its new key late signs with the old one for so long. */
const LATE_MS = 3_600_000;
/** Verifiers read no more keys than that. */
export const MOST_KEYS = 64;

/** The newest whose time has come. If the clock is behind that of the key's maker, the oldest. */
export function findSigningKey(keys: readonly TokenKey[], now: number): TokenKey | undefined {
  const ordered = inOrder(keys);
  return ordered.findLast(({ signsFrom }) => signsFrom <= now) ?? ordered[0];
}

/** The keys that verify at this time, in the order in which they sign. */
export function listAccepted(keys: readonly TokenKey[], now: number): readonly TokenKey[] {
  const ordered = inOrder(keys);
  const isAccepted = (_key: TokenKey, index: number): boolean => {
    const signsUntil = ordered[index + 1]?.signsFrom;
    return signsUntil === undefined || now < signsUntil + LATE_MS + LONGEST_TOKEN_MS;
  };
  return ordered.filter(isAccepted);
}

export function stateOf(key: TokenKey, keys: readonly TokenKey[], now: number): KeyState {
  const signing = findSigningKey(keys, now);
  if (key === signing) return 'signs';
  if (inOrder(keys).indexOf(key) > inOrder(keys).indexOf(signing!)) return 'next';
  return listAccepted(keys, now).includes(key) ? 'accepted' : 'expired';
}

export type Rotation = { outcome: 'rotated'; keys: TokenKeys } | { outcome: 'too-many' };

/** Adds a key, and drops those that nobody needs any more. */
export function addKey({ keys, ...rest }: TokenKeys, key: TokenKey, now: number): Rotation {
  const kept = listAccepted(keys, now);
  return kept.length >= MOST_KEYS
    ? { outcome: 'too-many' }
    : { outcome: 'rotated', keys: { ...rest, keys: [...kept, key] } };
}

export type Retirement = { outcome: 'retired'; keys: TokenKeys } | { outcome: 'unknown' } | { outcome: 'signs' };

/** Its tokens are refused from then on. */
export function retireKey({ keys, ...rest }: TokenKeys, id: string, now: number): Retirement {
  const key = keys.find(({ jwk }) => jwk.kid === id);
  if (key === undefined) return { outcome: 'unknown' };
  if (key === findSigningKey(keys, now)) return { outcome: 'signs' };
  return { outcome: 'retired', keys: { ...rest, keys: keys.filter((other) => other !== key) } };
}

/** Of keys with the same time, the one that was added later signs. */
function inOrder(keys: readonly TokenKey[]): readonly TokenKey[] {
  return keys.toSorted((left, right) => left.signsFrom - right.signsFrom);
}
