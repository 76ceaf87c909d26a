/**
 * What a visitor's token says of them. Apart from how tokens are signed, and without anything of Node's, so that a gate
 * in an edge runtime reads them too.
 */
import { readCookie } from '../platform/http-server/cookies.ts';

export interface Visitor {
  id: string;
  kind: 'user' | 'guest';
  /** Of a user whose session can be ended before its time. */
  sessionId?: string;
}

export const GUEST_COOKIE = 'fairline-guest';
export const GUEST_TYP = 'guest+jwt';
export const GUEST_PREFIX = 'guest:';

// Printable, no white space at either end, short enough to be a key in any store.
const USER_ID = /^[^\s\p{C}](?:[^\p{C}]{0,126}[^\s\p{C}])?$/u;

/** A name of the host site's, unless it could pass for a guest's or cannot be shown. */
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
  sessionCookie: string;
  guestsWelcome: boolean;
}

/** By what a request says who is asking: the first of these that it brings, good or not. */
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

/** The token of an Authorization header; an empty text, which no verifier accepts, for any other scheme. */
export function bearerOf(authorization: string): string {
  return authorization.slice(0, 7).toLowerCase() === 'bearer ' ? authorization.slice(7).trim() : '';
}
