/**
 * Signed tokens (JWT). Each kind of token has its own `typ` and its own keys, and a key has one algorithm.
 *
 * Our own code because of the cost: verifying an HS256 token for the first time takes 9 us with fast-jwt and 4 us here,
 * and allocates little. Tests compare it with jose and fast-jwt and with the vectors of RFC 7515 and RFC 7519.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { RecentMap } from '../collections/recent-map.ts';
import type { Algorithm } from './algorithms.ts';
import type { KeySet } from './key-set.ts';
import { readPlainClaims } from './plain-claims.ts';
import { RememberedTokens } from './remembered-tokens.ts';
import { createSeenBefore } from './seen-before.ts';
import { createSecretSigningKey, type SigningKey } from './signing-key.ts';
import { isNumericDate, isTokenForm, MAX_TOKEN_LENGTH, MAX_USER_TOKEN_LENGTH } from './token-form.ts';
import { createSecretKey, keyIdOf, type VerifyingKey } from './verifying-key.ts';

const TOLERANCE_SECONDS = 5;
const DEFAULT_REMEMBERED = 200_000;
const REMEMBERED_HEADERS = 100;

export interface Claims {
  sub: string;
  exp: number;
  [name: string]: unknown;
}

export type TokenSignerOptions = { typ: string } & (
  | { secret: string }
  /** The key to sign with now. It changes with a rotation. */
  | { currentKey: () => SigningKey }
);

export type TokenSigner = (claims: Claims & { iat: number }) => string;

/** Times in claims are in seconds (RFC 7519, NumericDate). */
export function createTokenSigner(options: TokenSignerOptions): TokenSigner {
  const { typ } = options;
  const currentKey = 'secret' in options ? always(createSecretSigningKey(options.secret)) : options.currentKey;
  let key: SigningKey | undefined;
  let header = '';
  return (claims) => {
    const current = currentKey();
    if (current !== key) {
      key = current;
      header = encode({ alg: key.algorithm, typ, kid: key.id });
    }
    const signed = `${header}.${encode(claims)}`;
    if (signed.length > MAX_TOKEN_LENGTH) {
      throw new RangeError(
        `the claims are too long for a token: ${signed.length} characters, at most ${MAX_TOKEN_LENGTH}`,
      );
    }
    return `${signed}.${current.sign(signed)}`;
  };
}

export type TokenVerifierOptions<T> = {
  /** The only accepted kind. undefined accepts tokens of other programs: no `typ`, `JWT` or `at+jwt`. */
  typ?: string;
  /** Converts verified claims for the caller; undefined refuses the token. `algorithm`: of the key that signed it. */
  read: (claims: Claims, algorithm: Algorithm) => T | undefined;
  clock: Clock;
  /** How many verified tokens are remembered, so that a poll does not verify the same token again. */
  remembered?: number;
  toleranceSeconds?: number;
  /** At most MAX_USER_TOKEN_LENGTH. */
  maxLength?: number;
  /** false: for tokens that name their user by another claim than `sub`, which `read` checks. */
  needsSubject?: boolean;
} & (
  | {
      /** The current secret first, then previous ones that are still valid. */
      secrets: readonly string[];
    }
  | { keys: KeySet }
);

/** Returns what the token says if it is genuine, of the right kind and in its time; otherwise undefined. */
export type TokenVerifier<T> = (token: string) => T | undefined;

interface Verified<T> {
  value: T;
  notBefore: number;
  expiresAt: number;
  /** A key pair signed it: to verify it again costs a hundred times what it costs to remember it. */
  isCostly: boolean;
}

export function createTokenVerifier<T>(options: TokenVerifierOptions<T>): TokenVerifier<T> {
  const { clock, typ, read, maxLength = MAX_TOKEN_LENGTH, toleranceSeconds = TOLERANCE_SECONDS } = options;
  const { needsSubject = true } = options;
  const keySet = 'secrets' in options ? secretKeys(options.secrets, typ) : options.keys;
  const limit = options.remembered ?? DEFAULT_REMEMBERED;
  const wasSeenBefore = createSeenBefore();
  let { keys } = keySet;
  let remembered = new RememberedTokens<Verified<T>>(limit);
  let findKeys = createKeyFinder(keys, typ);

  return (token) => {
    if (keySet.keys !== keys) useNewKeys();
    const known = remembered.get(token);
    const verified = known ?? (isTokenForm(token, maxLength) ? verify(token) : undefined);
    // Times are checked at every use, also of a remembered token.
    if (verified === undefined || !isInTime(verified, clock.now() / 1000, toleranceSeconds)) return undefined;
    // As a copy: a slice would keep the whole header that it was cut from in memory.
    const isWorthIt = known === undefined && (verified.isCostly || wasSeenBefore(token));
    if (isWorthIt) remembered.set(copyOf(token), verified);
    return verified.value;
  };

  /** A token of a key that was retired must not be remembered as valid. A new key says nothing against the others. */
  function useNewKeys(): void {
    const isLess = !keys.every(({ fingerprint }) => keySet.keys.some((key) => key.fingerprint === fingerprint));
    if (isLess) remembered = new RememberedTokens(limit);
    keys = keySet.keys;
    findKeys = createKeyFinder(keys, typ);
  }

  function verify(token: string): Verified<T> | undefined {
    const headerEnd = token.indexOf('.');
    const claimsEnd = token.indexOf('.', headerEnd + 1);
    for (const key of findKeys(token.slice(0, headerEnd))) {
      if (!key.verifies(token, claimsEnd)) continue;
      const claims = toClaims(decode(token.slice(headerEnd + 1, claimsEnd)), needsSubject);
      const value = claims && read(claims, key.algorithm);
      if (value === undefined) return undefined;
      const isCostly = !key.algorithm.startsWith('HS');
      return { value, notBefore: (claims!.nbf as number | undefined) ?? 0, expiresAt: claims!.exp, isCostly };
    }
    return undefined;
  }
}

/** Our own tokens name their key. Key ids of other programs' secrets are ignored. */
function secretKeys(secrets: readonly string[], typ: string | undefined): KeySet {
  return { keys: secrets.map((secret) => createSecretKey(secret, typ === undefined ? undefined : keyIdOf(secret))) };
}

const NO_KEYS: readonly VerifyingKey[] = [];

/** Finds the keys that a token with this header may be signed with. */
function createKeyFinder(
  keys: readonly VerifyingKey[],
  typ: string | undefined,
): (header: string) => readonly VerifyingKey[] {
  // A program writes the same header into all of its tokens, so each header is decoded once.
  const found = new RecentMap<readonly VerifyingKey[]>(REMEMBERED_HEADERS);
  return (encoded) => {
    const known = found.get(encoded);
    if (known !== undefined) return known;
    const header = decode(encoded);
    const right =
      header !== undefined && isRightKind(header, typ) ? keys.filter((key) => isKeyOf(key, header)) : NO_KEYS;
    found.set(encoded, right);
    return right;
  };
}

function isRightKind(header: Record<string, unknown>, wanted: string | undefined): boolean {
  // RFC 7515: a token with a critical extension that we do not implement must be refused, and we implement none.
  if ('crit' in header) return false;
  if (wanted !== undefined) return header.typ === wanted && typeof header.kid === 'string';
  return header.typ === undefined || header.typ === 'JWT' || header.typ === 'at+jwt';
}

/** The key decides the algorithm. A token without a key id may be signed with any key of its algorithm. */
function isKeyOf({ id, algorithm }: VerifyingKey, { alg, kid }: Record<string, unknown>): boolean {
  return alg === algorithm && (id === undefined || kid === undefined || id === kid);
}

function toClaims(claims: Record<string, unknown> | undefined, needsSubject: boolean): Claims | undefined {
  if (claims === undefined || !isNumericDate(claims.exp)) return undefined;
  if (needsSubject && typeof claims.sub !== 'string') return undefined;
  return isTimeOrAbsent(claims.nbf) && isTimeOrAbsent(claims.iat) ? (claims as Claims) : undefined;
}

function isTimeOrAbsent(value: unknown): boolean {
  return value === undefined || isNumericDate(value);
}

function isInTime({ notBefore, expiresAt }: Verified<unknown>, nowSeconds: number, toleranceSeconds: number): boolean {
  return nowSeconds < expiresAt + toleranceSeconds && notBefore <= nowSeconds + toleranceSeconds;
}

function always<T>(value: T): () => T {
  return () => value;
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** One buffer for all tokens: allocating one for each would be most of the cost. */
const scratch = Buffer.alloc(MAX_USER_TOKEN_LENGTH);

function copyOf(token: string): string {
  return scratch.toString('latin1', 0, scratch.write(token, 'latin1'));
}

function decode(encoded: string): Record<string, unknown> | undefined {
  try {
    const length = scratch.write(encoded, 'base64url');
    const plain = readPlainClaims(scratch, length);
    if (plain !== undefined) return plain;
    const value = JSON.parse(scratch.toString('utf8', 0, length)) as unknown;
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** Compares two secrets in constant time. */
export function isSameSecret(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
