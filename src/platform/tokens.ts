/**
 * Signed tokens (JWT, HS256 only). One kind of token has one `typ` and its own keys; a key's id is derived from the key,
 * so that rotating means giving the old secret a second name and nothing else.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { createSigner, createVerifier } from 'fast-jwt';
import type { Clock } from './clock.ts';
import { RecentMap } from './recent-map.ts';

const ALGORITHM = 'HS256';
const TOLERANCE_SECONDS = 5;
const MAX_TOKEN_LENGTH = 2048;
const DEFAULT_REMEMBERED = 200_000;

export interface Claims {
  sub: string;
  exp: number;
  [name: string]: unknown;
}

export interface TokenSignerOptions {
  secret: string;
  typ: string;
}

/** Times in the claims are in seconds, as the standard has them. */
export function createTokenSigner({ secret, typ }: TokenSignerOptions): (claims: Claims & { iat: number }) => string {
  return createSigner({ key: secret, algorithm: ALGORITHM, kid: keyIdOf(secret), header: { alg: ALGORITHM, typ } });
}

export interface TokenVerifierOptions<T> {
  /** The current secret first, then those that are still good. */
  secrets: readonly string[];
  /** The only kind accepted; undefined accepts tokens that other programs make: no `typ`, `JWT` or `at+jwt`. */
  typ?: string;
  /** What genuine claims mean to the caller; undefined if they are not acceptable. */
  read: (claims: Claims) => T | undefined;
  clock: Clock;
  /** How many verified tokens are remembered: everybody's is, so that nobody's is verified with every poll. */
  remembered?: number;
}

/** What a token says that is genuine, of the right kind and in time; undefined for every other text. */
export type TokenVerifier<T> = (token: string) => T | undefined;

interface Verified<T> {
  value: T;
  notBefore: number;
  expiresAt: number;
}

export function createTokenVerifier<T>(options: TokenVerifierOptions<T>): TokenVerifier<T> {
  const { clock, typ, read } = options;
  const verifiers = options.secrets.map((secret) => createKeyVerifier(secret, typ));
  const remembered = new RecentMap<Verified<T>>(options.remembered ?? DEFAULT_REMEMBERED);

  return (token) => {
    if (token.length > MAX_TOKEN_LENGTH) return undefined;
    const known = remembered.get(token);
    const verified = known ?? verify(token);
    // Times are checked at every use, not only the first, and against the injected clock.
    if (verified === undefined || !isInTime(verified, clock.now() / 1000)) return undefined;
    if (known === undefined) remembered.set(token, verified);
    return verified.value;
  };

  function verify(token: string): Verified<T> | undefined {
    const claims = verifyWithAnyKey(token);
    const value = claims && read(claims);
    if (value === undefined) return undefined;
    const notBefore = typeof claims!.nbf === 'number' ? claims!.nbf : 0;
    return { value, notBefore, expiresAt: claims!.exp };
  }

  function verifyWithAnyKey(token: string): Claims | undefined {
    for (const verifyByKey of verifiers) {
      const claims = verifyByKey(token);
      if (claims !== undefined) return claims;
    }
    return undefined;
  }
}

function createKeyVerifier(secret: string, typ: string | undefined): (token: string) => Claims | undefined {
  const keyId = keyIdOf(secret);
  const verify = createVerifier({
    // A buffer, because a text would be made one again for each token.
    key: Buffer.from(secret),
    algorithms: [ALGORITHM],
    ignoreExpiration: true,
    ignoreNotBefore: true,
    complete: true,
  });
  return (token) => {
    try {
      const { header, payload } = verify(token) as { header: Header; payload: Partial<Claims> };
      if (!isRightKind(header, typ, keyId)) return undefined;
      return typeof payload.sub === 'string' && typeof payload.exp === 'number' ? (payload as Claims) : undefined;
    } catch {
      return undefined;
    }
  };
}

function isInTime({ notBefore, expiresAt }: Verified<unknown>, nowSeconds: number): boolean {
  return nowSeconds < expiresAt + TOLERANCE_SECONDS && notBefore <= nowSeconds + TOLERANCE_SECONDS;
}

interface Header {
  typ?: unknown;
  kid?: unknown;
}

/** Our own tokens name their kind and their key. Other programs' key ids mean nothing to us. */
function isRightKind({ typ, kid }: Header, wanted: string | undefined, keyId: string): boolean {
  if (wanted !== undefined) return typ === wanted && kid === keyId;
  return typ === undefined || typ === 'JWT' || typ === 'at+jwt';
}

export function keyIdOf(secret: string): string {
  return createHash('sha256').update(`fairline key id:${secret}`).digest('base64url').slice(0, 8);
}

/** Whether two secrets are the same, in a time that tells nothing about where they differ. */
export function isSameSecret(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
