/** Endpoints for operators to sign in with the operator token, stay signed in, and sign out. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { AppError } from '../../http/errors.ts';
import { setCookie } from '../../platform/http-server/cookies.ts';
import { addressKey, type RateLimit } from '../../platform/rate-limit.ts';
import { OPERATOR_COOKIE, type SignedSession } from '../operator-sessions.ts';
import type { Operators } from '../operators.ts';

export interface OperatorSessionOptions {
  operators: Operators;
  signInsPerAddress: RateLimit;
  isSecure: (request: FastifyRequest) => boolean;
  now: () => number;
}

const SessionAnswer = Type.Object(
  {
    signedIn: Type.Boolean(),
    expiresAt: Type.Optional(Type.String({ description: 'a GET before this time extends the session' })),
  },
  { title: 'OperatorSession' },
);

export const operatorSessionRoutes: FastifyPluginAsyncTypebox<OperatorSessionOptions> = async (app, options) => {
  const { operators, signInsPerAddress, isSecure, now } = options;
  const { sessions } = operators;
  const schema = { tags: ['operators: session'] };

  app.get(
    '/admin/session',
    {
      config: { crossSite: 'refused' },
      schema: { ...schema, summary: 'Check the operator session and extend it', response: { 200: SessionAnswer } },
    },
    async (request, reply) => {
      const session = operators.findSession(request.headers);
      return session === undefined ? { signedIn: false } : give(sessions.renew(session), request, reply);
    },
  );

  app.post(
    '/admin/session',
    {
      schema: {
        ...schema,
        summary: 'Sign in with the operator token; sets a cookie',
        body: Type.Object({ token: Type.String({ minLength: 1, maxLength: 500 }) }, { additionalProperties: false }),
        response: { 200: SessionAnswer },
      },
    },
    async (request, reply) => {
      const address = addressKey(request.ip);
      const retryAfterSeconds = signInsPerAddress.secondsToWait(address);
      if (retryAfterSeconds > 0) throw new AppError('RATE_LIMITED', { retryAfterSeconds });
      signInsPerAddress.count(address);
      if (!operators.isToken(request.body.token)) {
        await operators.audit(request, { action: 'refused sign in' });
        throw new AppError('OPERATOR_ONLY', { message: 'Wrong operator token.' });
      }
      const signed = sessions.begin();
      await operators.audit(request, { action: 'sign in', details: { session: signed.session.id } });
      return give(signed, request, reply);
    },
  );

  app.delete(
    '/admin/session',
    { schema: { ...schema, summary: 'Sign out', response: { 200: SessionAnswer } } },
    async (request, reply) => {
      operators.require(request);
      const session = operators.findSession(request.headers);
      if (session !== undefined) {
        await operators.audit(request, { action: 'sign out', details: { session: session.id } });
        sessions.end(session);
      }
      setSession('', 0, request, reply);
      return { signedIn: false };
    },
  );

  function give({ session, token }: SignedSession, request: FastifyRequest, reply: FastifyReply) {
    const maxAgeSeconds = session.expiresAt - Math.floor(now() / 1000);
    setSession(token, maxAgeSeconds, request, reply);
    return { signedIn: true, expiresAt: new Date(session.expiresAt * 1000).toISOString() };
  }

  function setSession(token: string, maxAgeSeconds: number, request: FastifyRequest, reply: FastifyReply): void {
    setCookie(reply, OPERATOR_COOKIE, token, { maxAgeSeconds, secure: isSecure(request), sameSite: 'Strict' });
  }
};
