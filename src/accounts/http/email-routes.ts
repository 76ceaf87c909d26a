/** Confirms the email of an account by a mailed link. */

import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { AppError } from '../../http/errors.ts';
import type { Identity } from '../../identity/identity.ts';
import type { AccountMails } from '../account-mails.ts';
import type { AccountStore } from '../account-store.ts';
import type { MailLanguage } from '../mail-texts.ts';
import { hashSecret } from '../mailed-links.ts';
import type { UserSessions } from '../user-sessions.ts';
import type { AccountCookies } from './account-cookies.ts';
import { LinkSecret } from './auth-fields.ts';
import type { PasswordAttempts } from './password-attempts.ts';
import { requireAccount } from './require-account.ts';

export interface EmailRoutesOptions {
  accountStore: Pick<AccountStore, 'find' | 'confirmEmail'>;
  sessions: UserSessions;
  identity: Identity;
  mails: AccountMails;
  attempts: Pick<PasswordAttempts, 'countRequest'>;
  cookies: AccountCookies;
  languageOf: (headers: IncomingHttpHeaders) => MailLanguage;
}

const ConfirmBody = Type.Object({ secret: LinkSecret }, { additionalProperties: false });

export const emailRoutes: FastifyPluginAsyncTypebox<EmailRoutesOptions> = async (app, options) => {
  const { accountStore, sessions, identity, mails, attempts, cookies, languageOf } = options;

  app.post(
    '/auth/email/confirmation',
    {
      schema: {
        tags: ['accounts'],
        operationId: 'requestEmailConfirmation',
        security: [{ user: [] }],
        errors: ['ACCOUNT_NOT_FOUND', 'RATE_LIMITED'],
        summary: 'Mail a link to confirm the email; nothing is sent if it is confirmed',
        response: { 202: Type.Object({ accepted: Type.Boolean() }) },
      },
    },
    async (request, reply) => {
      const { account } = await requireAccount(request, identity, accountStore);
      attempts.countRequest(request);
      if (!account.isEmailConfirmed) mails.sendConfirmation(account, languageOf(request.headers));
      return reply.code(202).send({ accepted: true });
    },
  );

  app.post(
    '/auth/email/confirm',
    {
      schema: {
        tags: ['accounts'],
        operationId: 'confirmEmail',
        security: [{ visitor: [] }, {}],
        errors: ['LINK_INVALID', 'RATE_LIMITED'],
        summary: 'Confirm an email by a mailed link. New sessions, and that of this browser, have email_verified',
        body: ConfirmBody,
        response: { 200: Type.Object({ email: Type.String(), emailVerified: Type.Boolean() }) },
      },
    },
    async (request, reply) => {
      attempts.countRequest(request);
      const account = await accountStore.confirmEmail(hashSecret(request.body.secret));
      if (account === undefined) throw new AppError('LINK_INVALID');
      const caller = identity.identify(request.headers);
      if (caller.outcome === 'known' && caller.visitor.id === account.userId) {
        const renewed = await sessions.renew(account, caller.visitor.sessionId ?? '');
        if (renewed !== undefined) cookies.setSession(renewed, request, reply);
      }
      return { email: account.email, emailVerified: true };
    },
  );
};
