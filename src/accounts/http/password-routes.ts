/** Passwords: ask for a link to reset a forgotten one, and change the own. */

import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { AppError } from '../../http/errors.ts';
import type { Identity } from '../../identity/identity.ts';
import type { Operators } from '../../identity/operators.ts';
import type { AccountMails } from '../account-mails.ts';
import type { AccountStore } from '../account-store.ts';
import type { Accounts } from '../accounts.ts';
import type { MailLanguage } from '../mail-texts.ts';
import { coarsenAddress, nameBrowser } from '../rules/session-facts.ts';
import type { UserSessions } from '../user-sessions.ts';
import type { AccountCookies } from './account-cookies.ts';
import { Email, Password, requireEmail } from './auth-fields.ts';
import { attemptErrors, type PasswordAttempts } from './password-attempts.ts';
import { requireAccount } from './require-account.ts';

export interface PasswordRoutesOptions {
  accounts: Accounts;
  accountStore: Pick<AccountStore, 'find'>;
  sessions: UserSessions;
  operators: Operators;
  identity: Identity;
  mails: AccountMails;
  attempts: PasswordAttempts;
  cookies: AccountCookies;
  languageOf: (headers: IncomingHttpHeaders) => MailLanguage;
}

const ForgotBody = Type.Object({ email: Email }, { additionalProperties: false });
const ChangeBody = Type.Object({ currentPassword: Password, password: Password }, { additionalProperties: false });
const Accepted = Type.Object({ accepted: Type.Boolean() });
const Changed = Type.Object({ changed: Type.Boolean(), endedSessions: Type.Integer() });

export const passwordRoutes: FastifyPluginAsyncTypebox<PasswordRoutesOptions> = async (app, options) => {
  const { accounts, accountStore, sessions, identity, operators, mails, attempts, cookies, languageOf } = options;

  app.post(
    '/auth/password/forgot',
    {
      schema: {
        tags: ['accounts'],
        operationId: 'requestPasswordReset',
        security: [],
        errors: ['RATE_LIMITED'],
        summary: 'Mail a link to choose a new password. The response is the same if the email has no account',
        body: ForgotBody,
        response: { 202: Accepted },
      },
    },
    async (request, reply) => {
      const email = requireEmail(request.body.email);
      attempts.countRequest(request);
      mails.sendReset(email, languageOf(request.headers));
      return reply.code(202).send({ accepted: true });
    },
  );

  app.post(
    '/auth/password',
    {
      schema: {
        tags: ['accounts'],
        operationId: 'changePassword',
        security: [{ user: [] }],
        errors: [...attemptErrors, 'ACCOUNT_NOT_FOUND', 'WRONG_CREDENTIALS', 'WEAK_PASSWORD'],
        summary: 'Change the password; ends all other sessions and tells the owner by mail',
        body: ChangeBody,
        response: { 200: Changed },
      },
    },
    async (request, reply) => {
      const { account, sessionId } = await requireAccount(request, identity, accountStore);
      const { currentPassword: current, password } = request.body;
      const { outcome } = await attempts.tryAgain(request, sessionId ?? account.userId, () =>
        accounts.changePassword({ account, current, password }),
      );
      if (outcome === 'wrong') throw new AppError('WRONG_CREDENTIALS', { message: 'The current password is wrong.' });
      // A new session for this browser too: a copy of its token ends with the others.
      const facts = { browser: nameBrowser(request.headers['user-agent']), address: coarsenAddress(request.ip) };
      const session = await sessions.begin(account, facts);
      const ended = await sessions.endAllOf(account.userId, session.sessionId);
      await operators.sessions.endAllOf(account.email);
      cookies.setSession(session, request, reply);
      mails.tellChanged(account.email, languageOf(request.headers));
      return { changed: true, endedSessions: Math.max(0, ended - 1) };
    },
  );
};
