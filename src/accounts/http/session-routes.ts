/** The sessions of the signed-in user: list them, end one, end all others. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { AppError } from '../../http/errors.ts';
import type { Identity } from '../../identity/identity.ts';
import type { AccountStore } from '../account-store.ts';
import type { UserSession } from '../session-store.ts';
import type { UserSessions } from '../user-sessions.ts';
import type { AccountCookies } from './account-cookies.ts';
import { requireAccount } from './require-account.ts';
import { SessionAnswer } from './session-answer.ts';

export interface SessionRoutesOptions {
  accountStore: Pick<AccountStore, 'find'>;
  sessions: UserSessions;
  identity: Identity;
  cookies: AccountCookies;
}

const Ended = Type.Object({ ended: Type.Integer({ description: 'how many sessions ended' }) });

export const sessionRoutes: FastifyPluginAsyncTypebox<SessionRoutesOptions> = async (app, options) => {
  const { accountStore, sessions, identity, cookies } = options;
  const schema = { tags: ['accounts'] };

  app.get(
    '/auth/sessions',
    {
      schema: {
        ...schema,
        operationId: 'listMySessions',
        security: [{ user: [] }],
        errors: ['ACCOUNT_NOT_FOUND'],
        summary: 'The user’s sessions, latest first',
        response: { 200: Type.Array(SessionAnswer) },
      },
    },
    async (request) => {
      const { account, sessionId } = await requireAccount(request, identity, accountStore);
      if (sessionId !== undefined) await sessions.see(sessionId);
      return (await sessions.list(account.userId)).map((session) => toAnswer(session, sessionId));
    },
  );

  app.delete(
    '/auth/sessions',
    {
      schema: {
        ...schema,
        operationId: 'endOtherSessions',
        security: [{ user: [] }],
        errors: ['ACCOUNT_NOT_FOUND'],
        summary: 'End all sessions of the user but this one',
        response: { 200: Ended },
      },
    },
    async (request) => {
      const { account, sessionId } = await requireAccount(request, identity, accountStore);
      return { ended: await sessions.endAllOf(account.userId, sessionId) };
    },
  );

  app.delete(
    '/auth/sessions/:sessionId',
    {
      schema: {
        ...schema,
        operationId: 'endSession',
        security: [{ user: [] }],
        errors: ['ACCOUNT_NOT_FOUND', 'SESSION_NOT_FOUND'],
        summary: 'End one session of the user',
        params: Type.Object({ sessionId: Type.String({ minLength: 1, maxLength: 64 }) }),
        response: { 200: Ended },
      },
    },
    async (request, reply) => {
      const { account, sessionId } = await requireAccount(request, identity, accountStore);
      const wanted = request.params.sessionId;
      if (!(await sessions.endOne(account.userId, wanted))) throw new AppError('SESSION_NOT_FOUND');
      if (wanted === sessionId) cookies.removeSession(request, reply);
      return { ended: 1 };
    },
  );
};

function toAnswer(session: UserSession, current: string | undefined): SessionAnswer {
  const { sessionId, browser, address, signedInAt, lastSeenAt, expiresAt } = session;
  const iso = (ms: number) => new Date(ms).toISOString();
  return {
    ...{ sessionId, isCurrent: sessionId === current, browser, address },
    ...{ signedInAt: iso(signedInAt), lastSeenAt: iso(lastSeenAt), expiresAt: iso(expiresAt) },
  };
}
