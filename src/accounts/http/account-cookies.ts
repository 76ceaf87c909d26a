/** The cookies of a signed-in browser. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type IdentityCookie, readCookie, setCookie } from '../../platform/http-server/cookies.ts';
import type { SignedSession } from '../user-sessions.ts';

export interface AccountCookies {
  setSession(session: SignedSession, request: FastifyRequest, reply: FastifyReply): void;
  removeSession(request: FastifyRequest, reply: FastifyReply): void;
  /** Whether the request has a session cookie whose token says that the email is confirmed. */
  isConfirmed(request: FastifyRequest): boolean;
}

export interface AccountCookiesOptions {
  sessionCookie: IdentityCookie;
  isSecure: (request: FastifyRequest) => boolean;
}

export function createAccountCookies({ sessionCookie, isSecure }: AccountCookiesOptions): AccountCookies {
  function set(value: string, maxAgeSeconds: number, request: FastifyRequest, reply: FastifyReply): void {
    setCookie(reply, sessionCookie, value, { maxAgeSeconds, secure: isSecure(request) });
  }
  return {
    setSession: ({ token, seconds }, request, reply) => set(token, seconds, request, reply),
    removeSession: (request, reply) => set('', 0, request, reply),
    isConfirmed(request) {
      const claims = readClaims(readCookie(request.headers.cookie, sessionCookie) ?? '');
      return claims?.email_verified === true;
    },
  };
}

/** Of a token that was verified already. */
function readClaims(token: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  } catch {
    return undefined;
  }
}
