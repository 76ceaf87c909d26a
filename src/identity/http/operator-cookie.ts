/** The cookie of an operator session. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { setCookie } from '../../platform/http-server/cookies.ts';
import { OPERATOR_COOKIE, type SignedSession } from '../operator-sessions.ts';

export interface OperatorCookie {
  set(signed: SignedSession, request: FastifyRequest, reply: FastifyReply): void;
  remove(request: FastifyRequest, reply: FastifyReply): void;
}

export interface OperatorCookieOptions {
  isSecure: (request: FastifyRequest) => boolean;
  now: () => number;
}

export function createOperatorCookie({ isSecure, now }: OperatorCookieOptions): OperatorCookie {
  const write = (token: string, maxAgeSeconds: number, request: FastifyRequest, reply: FastifyReply) =>
    setCookie(reply, OPERATOR_COOKIE, token, { maxAgeSeconds, secure: isSecure(request), sameSite: 'Strict' });
  return {
    set({ session, token }, request, reply) {
      write(token, session.expiresAt - Math.floor(now() / 1000), request, reply);
    },
    remove: (request, reply) => write('', 0, request, reply),
  };
}
