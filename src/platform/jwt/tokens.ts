/**
 * Signed tokens (JWT, HS256 and nothing else). One kind of token has one `typ` and its own keys; a key's id is derived
 * from the key, so that rotating means giving the old secret a second name and nothing else.
 *
 * Written out because one algorithm is all there is, and because of the cost: a token never seen before takes 9 us with
 * fast-jwt and 4 us here, and leaves nothing behind for the garbage collector. Tests compare the two.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { createMac, isSameMac } from '../hmac.ts';
import { RecentMap } from '../recent-map.ts';
import { scanClaims } from './scan-claims.ts';
import { createSecondVisitCache } from './second-visit-cache.ts';

const ALGORITHM = 'HS256';
const TOLERANCE_SECONDS = 5;
const MAX_TOKEN_LENGTH = 2048;
const DEFAULT_REMEMBERED = 200_000;
const REMEMBERED_HEADERS = 100;

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
  const mac = createMac(secret, MAX_TOKEN_LENGTH);
  const header = encode({ alg: ALGORITHM, typ, kid: keyIdOf(secret) });
  return (claims) => {
    const signed = `${header}.${encode(claims)}`;
    if (signed.length > MAX_TOKEN_LENGTH) throw new RangeError('the claims are too long for a token');
    return `${signed}.${mac(signed)}`;
  };
}

export interface TokenVerifierOptions<T> {
  /** The current secret first, then those that are still good. */
  secrets: readonly string[];
  /** The only kind accepted; undefined accepts tokens that other programs make: no `typ`, `JWT` or `at+jwt`. */
  typ?: string;
  /** What genuine claims mean to the caller; undefined if they are not acceptable. */
  read: (claims: Claims) => T | undefined;
  clock: Clock;
  /** How many verified tokens are remembered: of everybody who comes again, so that nobody's is verified with every poll. */
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
  const comesAgain = createSecondVisitCache();

  return (token) => {
    if (token.length > MAX_TOKEN_LENGTH) return undefined;
    const known = remembered.get(token);
    const verified = known ?? verify(token);
    // Times are checked at every use, not only the first, and against the injected clock.
    if (verified === undefined || !isInTime(verified, clock.now() / 1000)) return undefined;
    // As a text of its own: what a header was cut from would be kept with it, and be one more thing to fetch.
    if (known === undefined && comesAgain(token)) remembered.set(copyOf(token), verified);
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
  const mac = createMac(secret, MAX_TOKEN_LENGTH);
  const keyId = keyIdOf(secret);
  // Each program writes the same header into all its tokens, so it is taken apart once.
  const headers = new RecentMap<boolean>(REMEMBERED_HEADERS);
  const isRightHeader = (encoded: string): boolean => {
    const known = headers.get(encoded);
    if (known !== undefined) return known;
    const isRight = isRightKind(decode(encoded), typ, keyId);
    headers.set(encoded, isRight);
    return isRight;
  };
  return (token) => {
    const headerEnd = token.indexOf('.');
    const claimsEnd = token.indexOf('.', headerEnd + 1);
    if (headerEnd === -1 || claimsEnd === -1) return undefined;
    if (!isRightHeader(token.slice(0, headerEnd))) return undefined;
    if (!isSameMac(token.slice(claimsEnd + 1), mac(token, claimsEnd))) return undefined;
    return toClaims(decode(token.slice(headerEnd + 1, claimsEnd)));
  };
}

/** Our own tokens name their kind and their key. Other programs' key ids mean nothing to us. */
function isRightKind(header: Record<string, unknown> | undefined, wanted: string | undefined, keyId: string): boolean {
  // What a header says is critical has to be understood; there is nothing of that kind that we do.
  if (header === undefined || header.alg !== ALGORITHM || 'crit' in header) return false;
  if (wanted !== undefined) return header.typ === wanted && header.kid === keyId;
  return header.typ === undefined || header.typ === 'JWT' || header.typ === 'at+jwt';
}

function toClaims(claims: Record<string, unknown> | undefined): Claims | undefined {
  return typeof claims?.sub === 'string' && typeof claims.exp === 'number' ? (claims as Claims) : undefined;
}

function isInTime({ notBefore, expiresAt }: Verified<unknown>, nowSeconds: number): boolean {
  return nowSeconds < expiresAt + TOLERANCE_SECONDS && notBefore <= nowSeconds + TOLERANCE_SECONDS;
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

const scratch = Buffer.alloc(MAX_TOKEN_LENGTH);

function copyOf(token: string): string {
  return scratch.toString('latin1', 0, scratch.write(token, 'latin1'));
}

/** By way of one buffer for all: a buffer for each would be most of the cost. */
function decode(encoded: string): Record<string, unknown> | undefined {
  try {
    const length = scratch.write(encoded, 'base64url');
    const plain = scanClaims(scratch, length);
    if (plain !== undefined) return plain;
    const value = JSON.parse(scratch.toString('utf8', 0, length)) as unknown;
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

export function keyIdOf(secret: string): string {
  return createHash('sha256').update(`fairline key id:${secret}`).digest('base64url').slice(0, 8);
}

/** Whether two secrets are the same, in a time that tells nothing about where they differ. */
export function isSameSecret(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
