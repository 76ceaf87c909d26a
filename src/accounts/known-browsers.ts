/**
 * Browsers that signed in to an account before, by a signed cookie. It signs nobody in: it only separates the password attempts
 * of this browser from those of strangers, so that nobody can lock an account by guessing.
 */
import { createHmac, randomBytes } from 'node:crypto';
import type { Clock } from '../platform/clock.ts';
import { type IdentityCookie, readCookie } from '../platform/http-server/cookies.ts';
import { createTokenSigner, createTokenVerifier } from '../platform/jwt/tokens.ts';

export const KNOWN_BROWSER_COOKIE: IdentityCookie = { name: 'fairline-browser' };
export const KNOWN_BROWSER_SECONDS = 180 * 86_400;

const TYP = 'known-browser+jwt';
const REMEMBERED = 1_000;

export interface KnownBrowsers {
  /** A token for the cookie of a browser that just signed in. */
  issue(email: string): string;
  /** The browser's id, if it signed in to this account before. */
  find(cookies: string | undefined, email: string): string | undefined;
}

export interface KnownBrowsersOptions {
  /** The key to sign with, then older ones that still verify. */
  keys: readonly [string, ...string[]];
  clock: Clock;
}

export function createKnownBrowsers({ keys, clock }: KnownBrowsersOptions): KnownBrowsers {
  const sign = createTokenSigner({ secret: keys[0], typ: TYP });
  const verify = createTokenVerifier({
    secrets: keys,
    typ: TYP,
    read: ({ sub, jti }) => (typeof jti === 'string' ? { account: sub, id: jti } : undefined),
    clock,
    remembered: REMEMBERED,
  });
  return {
    issue(email) {
      const iat = Math.floor(clock.now() / 1000);
      const jti = randomBytes(12).toString('base64url');
      return sign({ sub: nameOf(keys[0], email), jti, iat, exp: iat + KNOWN_BROWSER_SECONDS });
    },
    find(cookies, email) {
      const token = readCookie(cookies, KNOWN_BROWSER_COOKIE);
      const known = token === undefined ? undefined : verify(token);
      return known !== undefined && keys.some((key) => nameOf(key, email) === known.account) ? known.id : undefined;
    },
  };
}

/** Not the email itself: the cookie outlives the session, and others may use the browser. */
function nameOf(key: string, email: string): string {
  return createHmac('sha256', key).update(`email ${email}`).digest('base64url').slice(0, 22);
}
