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
  /** For a user whose e-mail address is confirmed (the claim `email_verified`). */
  isConfirmed?: true;
}

export const GUEST_COOKIE: IdentityCookie = { name: 'fairline-guest' };
export const GUEST_TYP = 'guest+jwt';
export const GUEST_PREFIX = 'guest:';

const ACCOUNT_ID = /^u_[\w-]{16}$/;

/** Whether it is the form of the ids of our own accounts. */
export function isAccountId(id: string): boolean {
  return ACCOUNT_ID.test(id);
}

// Printable, no surrounding white space, short enough for a key in any store.
const USER_ID = /^[^\s\p{C}](?:[^\p{C}]{0,126}[^\s\p{C}])?$/u;

/** Rejects ids that look like a guest's or are not printable. */
export function toUser(claims: { sub: string; jti?: unknown; email_verified?: unknown }): Visitor | undefined {
  const { sub, jti, email_verified: isVerified } = claims;
  if (!USER_ID.test(sub) || sub.startsWith(GUEST_PREFIX)) return undefined;
  const user: Visitor = { id: sub, kind: 'user' };
  if (isSessionId(jti)) user.sessionId = jti;
  // Only the boolean: some issuers send the text "false".
  if (isVerified === true) user.isConfirmed = true;
  return user;
}

/** Ended sessions are rows, found by an index; a longer id names a session that cannot be ended early. */
function isSessionId(jti: unknown): jti is string {
  return typeof jti === 'string' && jti.length <= 256;
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

/** The token of a user that the request presents, as findCredential finds it. */
export function findUserToken(
  { authorization, cookie }: { authorization?: string | undefined; cookie?: string | undefined },
  sessionCookie: IdentityCookie,
): string | undefined {
  return authorization === undefined ? readCookie(cookie, sessionCookie) : bearerOf(authorization);
}

/** The token of an Authorization header. Any other scheme yields an empty string, which no verifier accepts. */
export function bearerOf(authorization: string): string {
  return authorization.slice(0, 7).toLowerCase() === 'bearer ' ? authorization.slice(7).trim() : '';
}
