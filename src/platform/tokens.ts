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
const DEFAULT_REMEMBERED = 50_000;

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

export interface TokenVerifierOptions {
  /** The current secret first, then those that are still good. */
  secrets: readonly string[];
  /** The only kind accepted; undefined accepts tokens that other programs make: no `typ`, `JWT` or `at+jwt`. */
  typ?: string;
  clock: Clock;
  /** How many verified tokens are remembered, to spare verifying the same one with every poll. */
  remembered?: number;
}

export type TokenVerifier = (token: string) => Claims | undefined;

/** The claims of a token that is genuine, of the right kind and in time; undefined for every other text. */
export function createTokenVerifier(options: TokenVerifierOptions): TokenVerifier {
  const { clock, typ } = options;
  const verifiers = options.secrets.map((secret) => createKeyVerifier(secret, typ));
  const remembered = new RecentMap<Claims>(options.remembered ?? DEFAULT_REMEMBERED);

  return (token) => {
    if (token.length > MAX_TOKEN_LENGTH) return undefined;
    const known = remembered.get(token);
    const claims = known ?? verifyWithAnyKey(token);
    // Times are checked at every use, not only the first, and against the injected clock.
    if (claims === undefined || !isInTime(claims, clock.now() / 1000)) return undefined;
    if (known === undefined) remembered.set(token, claims);
    return claims;
  };

  function verifyWithAnyKey(token: string): Claims | undefined {
    for (const verify of verifiers) {
      const claims = verify(token);
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

function isInTime(claims: Claims, nowSeconds: number): boolean {
  if (claims.exp + TOLERANCE_SECONDS <= nowSeconds) return false;
  const notBefore = claims.nbf;
  return typeof notBefore !== 'number' || notBefore <= nowSeconds + TOLERANCE_SECONDS;
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
