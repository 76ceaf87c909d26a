/**
 * Visitors, and how requests and token claims name them. Free of signing and of Node APIs, so the gate in an edge runtime
 * uses it too.
 */
import { type IdentityCookie, readCookie } from '../platform/http-server/cookies.ts';

export interface Visitor {
  id: string;
  kind: 'user' | 'guest';
  /** For a user whose session can be ended early. */
  sessionId?: string;
}

export const GUEST_COOKIE: IdentityCookie = { name: 'fairline-guest' };
export const GUEST_TYP = 'guest+jwt';
export const GUEST_PREFIX = 'guest:';

// Printable, no surrounding white space, short enough for a key in any store.
const USER_ID = /^[^\s\p{C}](?:[^\p{C}]{0,126}[^\s\p{C}])?$/u;

/** Rejects ids that look like a guest's or are not printable. */
export function toUser({ sub, jti }: { sub: string; jti?: unknown }): Visitor | undefined {
  if (!USER_ID.test(sub) || sub.startsWith(GUEST_PREFIX)) return undefined;
  return typeof jti === 'string' ? { id: sub, kind: 'user', sessionId: jti } : { id: sub, kind: 'user' };
}

export function toGuest({ sub }: { sub: string }): Visitor {
  return { id: sub, kind: 'guest' };
}

export type Presented = 'bearer' | 'session' | 'guest';

export interface Credential {
  presented: Presented;
  token: string;
}

export interface CredentialRules {
  sessionCookie: IdentityCookie;
  guestsWelcome: boolean;
}

/** The first credential that the request presents, valid or not: Authorization header, session cookie, guest cookie. */
export function findCredential(
  { authorization, cookie }: { authorization?: string | undefined; cookie?: string | undefined },
  { sessionCookie, guestsWelcome }: CredentialRules,
): Credential | undefined {
  if (authorization !== undefined) return { presented: 'bearer', token: bearerOf(authorization) };
  const session = readCookie(cookie, sessionCookie);
  if (session !== undefined) return { presented: 'session', token: session };
  const guest = guestsWelcome ? readCookie(cookie, GUEST_COOKIE) : undefined;
  return guest === undefined ? undefined : { presented: 'guest', token: guest };
}

/** The token of an Authorization header. Any other scheme yields an empty string, which no verifier accepts. */
export function bearerOf(authorization: string): string {
  return authorization.slice(0, 7).toLowerCase() === 'bearer ' ? authorization.slice(7).trim() : '';
}
