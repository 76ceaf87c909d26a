/** Endpoints for operators to sign in with a service key, stay signed in, and sign out. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { AppError } from '../../http/errors.ts';
import { isSameOrigin } from '../../http/same-origin.ts';
import { addressKey, type RateLimit } from '../../platform/rate-limit.ts';
import type { Operators } from '../operators.ts';
import { createOperatorCookie, type OperatorCookieOptions } from './operator-cookie.ts';
import { SessionAnswer, toSessionAnswer } from './operator-session-answer.ts';

export interface OperatorSessionOptions extends OperatorCookieOptions {
  operators: Operators;
  signInsPerAddress: RateLimit;
}

export const operatorSessionRoutes: FastifyPluginAsyncTypebox<OperatorSessionOptions> = async (app, options) => {
  const { operators, signInsPerAddress } = options;
  const { sessions } = operators;
  const cookie = createOperatorCookie(options);
  const schema = { tags: ['operators: session'] };

  app.get(
    '/admin/session',
    {
      config: { crossSite: 'refused' },
      schema: {
        ...schema,
        operationId: 'getOperatorSession',
        security: [{ operator: [] }, {}],
        summary: 'Check the operator session and extend it',
        response: { 200: SessionAnswer },
      },
    },
    async (request, reply) => {
      const session = await operators.findSession(request.headers);
      if (session !== undefined) {
        const signed = sessions.renew(session);
        cookie.set(signed, request, reply);
        return toSessionAnswer(signed.session, session.role);
      }
      const pending = await sessions.findPending(request.headers.cookie);
      if (pending === undefined) return { signedIn: false };
      const { by, missing } = pending.session;
      return { signedIn: false, by, missing };
    },
  );

  app.post(
    '/admin/session',
    {
      schema: {
        ...schema,
        operationId: 'signInOperator',
        security: [],
        errors: ['OPERATOR_ONLY', 'RATE_LIMITED'],
        summary: 'Sign in with the operator token or a service key; sets a cookie',
        body: Type.Object({ token: Type.String({ minLength: 1, maxLength: 500 }) }, { additionalProperties: false }),
        response: { 200: SessionAnswer },
      },
    },
    async (request, reply) => {
      const address = addressKey(request.ip);
      const retryAfterSeconds = signInsPerAddress.secondsToWait(address);
      if (retryAfterSeconds > 0) throw new AppError('RATE_LIMITED', { retryAfterSeconds });
      signInsPerAddress.count(address);
      const key = await operators.keys.find(request.body.token);
      if (key === undefined) {
        await operators.refused.note('refused sign in', request);
        throw new AppError('OPERATOR_ONLY', { message: 'Wrong operator token.' });
      }
      operators.keys.noteUse(key, request.ip);
      const signed = sessions.beginByKey(key);
      await operators.audit(request, { action: 'sign in', by: key.name, details: { session: signed.session.id } });
      cookie.set(signed, request, reply);
      return toSessionAnswer(signed.session, key.role);
    },
  );

  app.delete(
    '/admin/session',
    {
      schema: {
        ...schema,
        operationId: 'signOutOperator',
        security: [{ operator: [] }],
        summary: 'Sign out',
        response: { 200: SessionAnswer },
      },
    },
    async (request, reply) => {
      // A session that still needs its second factor can be left, too.
      const isPending = (await sessions.findPending(request.headers.cookie)) !== undefined;
      if (!isPending) await operators.require(request);
      else if (!isSameOrigin(request)) throw new AppError('CROSS_SITE');
      await operators.signOut(request);
      cookie.remove(request, reply);
      return { signedIn: false };
    },
  );
};
