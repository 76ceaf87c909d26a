/** Accounts: register, sign in, reset a forgotten password, sign out, and the current visitor. */
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { AppError } from '../../http/errors.ts';
import type { Identity } from '../../identity/identity.ts';
import { OPERATOR_COOKIE } from '../../identity/operator-sessions.ts';
import type { Operators } from '../../identity/operators.ts';
import { requireVisitor } from '../../identity/require-visitor.ts';
import { GUEST_COOKIE } from '../../identity/visitor.ts';
import type { Visits } from '../../line/store/visits.ts';
import { ENTRY_COOKIE } from '../../line/tokens/entry-pass.ts';
import type { EntryTokens } from '../../line/tokens/entry-tokens.ts';
import { type CookieName, type IdentityCookie, readCookie, setCookie } from '../../platform/http-server/cookies.ts';
import type { AccountMails } from '../account-mails.ts';
import type { Account, AccountStore } from '../account-store.ts';
import type { Accounts, RegisterOutcome, SignInOutcome } from '../accounts.ts';
import type { KeepPlaces } from '../keep-places.ts';
import { KNOWN_BROWSER_COOKIE, KNOWN_BROWSER_SECONDS, type KnownBrowsers } from '../known-browsers.ts';
import type { MailLanguage } from '../mail-texts.ts';
import { coarsenAddress, nameBrowser } from '../rules/session-facts.ts';
import type { UserSessions } from '../user-sessions.ts';
import type { AccountCookies } from './account-cookies.ts';
import { Email, LinkSecret, Password, requireEmail } from './auth-fields.ts';
import { attemptErrors, type Checked, type PasswordAttempts, signInBusy, weakPassword } from './password-attempts.ts';
import { WhoAnswer } from './who-answer.ts';

export interface AuthRoutesOptions {
  accounts: Accounts;
  accountStore: AccountStore;
  sessions: UserSessions;
  sessionCookie: IdentityCookie;
  operators: Operators;
  identity: Identity;
  keepPlaces: KeepPlaces;
  visits: Pick<Visits, 'find'>;
  entryTokens: EntryTokens;
  attempts: PasswordAttempts;
  knownBrowsers: KnownBrowsers;
  mails: AccountMails;
  cookies: AccountCookies;
  languageOf: (headers: IncomingHttpHeaders) => MailLanguage;
  /** Whether cookies in the response carry the Secure flag. */
  isSecure: (request: FastifyRequest) => boolean;
  /** Whether scripts may read the entry cookie. */
  entryCookieReadable: boolean;
  now: () => number;
}

const SignInBody = Type.Object({ email: Email, password: Password }, { additionalProperties: false });
const RegisterBody = Type.Object(
  {
    ...SignInBody.properties,
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    phone: Type.Optional(Type.String({ maxLength: 40, description: 'ignored: nothing here needs one' })),
  },
  { additionalProperties: false },
);
const ResetBody = Type.Object({ secret: LinkSecret, password: Password }, { additionalProperties: false });

export const authRoutes: FastifyPluginAsyncTypebox<AuthRoutesOptions> = async (app, options) => {
  const { accounts, accountStore, sessions, identity, operators, attempts, mails, now } = options;
  const schema = { tags: ['accounts'], response: { 200: WhoAnswer } };

  app.post(
    '/auth/register',
    {
      schema: {
        ...schema,
        operationId: 'registerAccount',
        security: [{ visitor: [] }, {}],
        errors: [...attemptErrors, 'EMAIL_TAKEN', 'WEAK_PASSWORD'],
        summary: 'Create an account and sign in; a guest keeps their places and reservations',
        body: RegisterBody,
        response: { 200: WhoAnswer, 201: WhoAnswer },
      },
    },
    async (request, reply) => {
      const { password, name } = request.body;
      const email = requireEmail(request.body.email);
      const outcome = await attempts.tryToSignIn(request, email, (who) =>
        accounts.register({ email, password, name }, who),
      );
      const account = toAccount(outcome);
      await welcome(account, request, reply);
      if (outcome.outcome === 'created') mails.sendConfirmation(account, options.languageOf(request.headers));
      return reply.code(outcome.outcome === 'created' ? 201 : 200).send(toWho(account));
    },
  );

  app.post(
    '/auth/login',
    {
      schema: {
        ...schema,
        operationId: 'signIn',
        security: [{ visitor: [] }, {}],
        errors: [...attemptErrors, 'WRONG_CREDENTIALS'],
        summary: 'Sign in; a guest keeps their places and reservations',
        body: SignInBody,
      },
    },
    async (request, reply) => {
      const email = requireEmail(request.body.email);
      const { password } = request.body;
      const account = toAccount(
        await attempts.tryToSignIn(request, email, (who) => accounts.signIn(email, password, who)),
      );
      await welcome(account, request, reply);
      return toWho(account);
    },
  );

  app.post(
    '/auth/password/reset',
    {
      schema: {
        ...schema,
        operationId: 'resetPassword',
        security: [{ visitor: [] }, {}],
        errors: [...attemptErrors, 'LINK_INVALID', 'WEAK_PASSWORD'],
        summary: 'Choose a new password by a mailed link and sign in; ends all other sessions',
        body: ResetBody,
      },
    },
    async (request, reply) => {
      attempts.countRequest(request);
      const outcome = await accounts.resetPassword(request.body.secret, request.body.password);
      if (outcome.outcome === 'no-link') throw new AppError('LINK_INVALID');
      if (outcome.outcome === 'busy') throw signInBusy();
      if (outcome.outcome === 'weak') throw weakPassword(outcome.problem);
      const { account } = outcome;
      await sessions.endAllOf(account.userId);
      await operators.sessions.endAllOf(account.email);
      mails.tellChanged(account.email, options.languageOf(request.headers));
      // As a user only: a mailbox alone must not make an operator.
      await welcome({ ...account, operatorRole: undefined }, request, reply);
      return toWho(account);
    },
  );

  app.post(
    '/auth/logout',
    {
      schema: {
        ...schema,
        operationId: 'signOut',
        security: [{ visitor: [] }, {}],
        summary: 'End the session',
        response: { 200: Type.Object({ loggedOut: Type.Boolean() }) },
      },
    },
    async (request, reply) => {
      const caller = identity.identify(request.headers);
      if (caller.outcome === 'known') await sessions.end(caller.visitor);
      await operators.signOut(request);
      for (const name of [options.sessionCookie, OPERATOR_COOKIE, ENTRY_COOKIE]) give(name, '', 0, request, reply);
      return { loggedOut: caller.outcome === 'known' && caller.visitor.kind === 'user' };
    },
  );

  app.get(
    '/auth/me',
    { schema: { ...schema, operationId: 'getMe', security: [{ visitor: [] }], summary: 'The current visitor' } },
    async (request, reply) => {
      const { id, kind, sessionId } = requireVisitor(request, identity);
      const account = kind === 'user' ? await accountStore.find(id) : undefined;
      if (account === undefined) return { id, userId: id, kind };
      if (sessionId !== undefined) await sessions.see(sessionId);
      await renewSession(account, sessionId, request, reply);
      return toWho(account);
    },
  );

  /** Moves the guest's things first: after a lost response the guest cookie remains, and the next sign-in does it again. */
  async function welcome(account: Account, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { userId, operatorRole } = account;
    const guest = identity.findGuest(request.headers);
    if (guest !== undefined) {
      const outcome = await accountStore.takeOver(guest.id, userId);
      if (outcome === 'busy') throw signInBusy();
      await options.keepPlaces(guest.id, userId);
      await renewEntry(guest.id, userId, request, reply);
      give(GUEST_COOKIE, '', 0, request, reply);
    }
    const facts = { browser: nameBrowser(request.headers['user-agent']), address: coarsenAddress(request.ip) };
    options.cookies.setSession(await sessions.begin(account, facts), request, reply);
    give(KNOWN_BROWSER_COOKIE, options.knownBrowsers.issue(account.email), KNOWN_BROWSER_SECONDS, request, reply);
    const signed = operatorRole && (await operators.signInAccount(request, account.email));
    if (signed !== undefined) {
      const { session, token } = signed;
      give(OPERATOR_COOKIE, token, session.expiresAt - Math.floor(now() / 1000), request, reply, 'Strict');
    }
  }

  /** A guest inside has an entry token with the guest id; issues one with the user id for the same admission. */
  async function renewEntry(
    guest: string,
    userId: string,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const entry = options.entryTokens.verify(readCookie(request.headers.cookie, ENTRY_COOKIE) ?? '');
    if (entry?.visitor !== guest) return;
    const found = await options.visits.find(entry.eventId, userId);
    if (found.outcome === 'no-room' || found.standing.state !== 'active') return;
    const token = options.entryTokens.issue(entry.eventId, userId, found.standing);
    const maxAgeSeconds = Math.max(0, Math.floor((found.standing.expiresAt - now()) / 1000));
    const { isSecure, entryCookieReadable: readable } = options;
    setCookie(reply, ENTRY_COOKIE, token, { maxAgeSeconds, secure: isSecure(request), readable });
  }

  function give(
    name: CookieName,
    value: string,
    maxAgeSeconds: number,
    request: FastifyRequest,
    reply: FastifyReply,
    sameSite: 'Lax' | 'Strict' = 'Lax',
  ): void {
    setCookie(reply, name, value, { maxAgeSeconds, secure: options.isSecure(request), sameSite });
  }

  /** The owner may have opened the mailed link in another browser. */
  async function renewSession(
    account: Account,
    sessionId: string | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const isByCookie = request.headers.authorization === undefined;
    if (!account.isEmailConfirmed || sessionId === undefined || !isByCookie) return;
    if (options.cookies.isConfirmed(request)) return;
    const renewed = await sessions.renew(account, sessionId);
    if (renewed !== undefined) options.cookies.setSession(renewed, request, reply);
  }
};

function toAccount(outcome: Checked<RegisterOutcome | SignInOutcome>): Account {
  if (outcome.outcome === 'wrong') throw new AppError('WRONG_CREDENTIALS');
  if (outcome.outcome === 'taken') throw new AppError('EMAIL_TAKEN');
  return outcome.account;
}

function toWho({ userId, email, name, operatorRole, isEmailConfirmed }: Account): WhoAnswer {
  const optional = { ...(name === undefined ? {} : { name }), ...(isEmailConfirmed ? { emailVerified: true } : {}) };
  const role = operatorRole === undefined ? { role: 'user' as const } : { role: 'operator' as const, operatorRole };
  return { id: userId, userId, kind: 'user', email, ...role, ...optional };
}
