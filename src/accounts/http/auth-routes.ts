/** Accounts: register, sign in, sign out, and the current visitor. */
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
import { readCookie, writeCookie } from '../../platform/http-server/cookies.ts';
import { addressKey, type RateLimit } from '../../platform/rate-limit.ts';
import type { Account, AccountStore } from '../account-store.ts';
import type { Accounts, RegisterOutcome, SignInOutcome } from '../accounts.ts';
import { normaliseEmail } from '../email.ts';
import type { KeepPlaces } from '../keep-places.ts';
import type { UserSessions } from '../user-sessions.ts';
import { WhoAnswer } from './who-answer.ts';

export interface AuthRoutesOptions {
  accounts: Accounts;
  accountStore: AccountStore;
  sessions: UserSessions;
  sessionCookie: string;
  operators: Operators;
  identity: Identity;
  keepPlaces: KeepPlaces;
  visits: Pick<Visits, 'find'>;
  entryTokens: EntryTokens;
  /** Attempts to register or sign in. */
  attemptsPerAddress: RateLimit;
  /** Wrong passwords. */
  failuresPerAccount: RateLimit;
  /** Whether cookies in the response carry the Secure flag. */
  isSecure: (request: FastifyRequest) => boolean;
  now: () => number;
}

const BUSY_RETRY_SECONDS = 3;

const Email = Type.String({ minLength: 3, maxLength: 254 });
const Password = Type.String({ minLength: 8, maxLength: 128 });
const SignInBody = Type.Object({ email: Email, password: Password }, { additionalProperties: false });
const RegisterBody = Type.Object(
  { ...SignInBody.properties, name: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })) },
  { additionalProperties: false },
);

export const authRoutes: FastifyPluginAsyncTypebox<AuthRoutesOptions> = async (app, options) => {
  const { accounts, accountStore, sessions, identity, operators, now } = options;
  const schema = { tags: ['accounts'], response: { 200: WhoAnswer } };

  app.post(
    '/auth/register',
    {
      schema: {
        ...schema,
        summary: 'Create an account and sign in; a guest keeps their places and reservations',
        body: RegisterBody,
        response: { 200: WhoAnswer, 201: WhoAnswer },
      },
    },
    async (request, reply) => {
      const { password, name } = request.body;
      const email = requireEmail(request.body.email);
      countAttempt(request, email);
      const outcome = await accounts.register({ email, password, name });
      const account = toAccount(outcome, email);
      await welcome(account, request, reply);
      return reply.code(outcome.outcome === 'created' ? 201 : 200).send(toWho(account));
    },
  );

  app.post(
    '/auth/login',
    {
      schema: { ...schema, summary: 'Sign in; a guest keeps their places and reservations', body: SignInBody },
    },
    async (request, reply) => {
      const email = requireEmail(request.body.email);
      countAttempt(request, email);
      const account = toAccount(await accounts.signIn(email, request.body.password), email);
      await welcome(account, request, reply);
      return toWho(account);
    },
  );

  app.post(
    '/auth/logout',
    {
      schema: { ...schema, summary: 'End the session', response: { 200: Type.Object({ loggedOut: Type.Boolean() }) } },
    },
    async (request, reply) => {
      const caller = identity.identify(request.headers);
      if (caller.outcome === 'known') await sessions.end(caller.visitor);
      await operators.signOut(request);
      for (const name of [options.sessionCookie, OPERATOR_COOKIE, ENTRY_COOKIE]) setCookie(name, '', 0, request, reply);
      return { loggedOut: caller.outcome === 'known' && caller.visitor.kind === 'user' };
    },
  );

  app.get('/auth/me', { schema: { ...schema, summary: 'The current visitor' } }, async (request) => {
    const { id, kind } = requireVisitor(request, identity);
    const account = kind === 'user' ? await accountStore.find(id) : undefined;
    return account === undefined ? { userId: id, kind } : toWho(account);
  });

  /** Moves the guest's things first: after a lost response the guest cookie remains, and the next sign-in does it again. */
  async function welcome(account: Account, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { userId, role } = account;
    const guest = identity.findGuest(request.headers);
    if (guest !== undefined) {
      const outcome = await accountStore.takeOver(guest.id, userId);
      if (outcome === 'busy') throw new AppError('SIGN_IN_BUSY', { retryAfterSeconds: BUSY_RETRY_SECONDS });
      await options.keepPlaces(guest.id, userId);
      await renewEntry(guest.id, userId, request, reply);
      setCookie(GUEST_COOKIE, '', 0, request, reply);
    }
    setCookie(options.sessionCookie, sessions.issue(userId), sessions.seconds, request, reply);
    const signed = role === 'operator' ? await operators.signInAccount(request, account.email) : undefined;
    if (signed !== undefined) {
      const { session, token } = signed;
      setCookie(OPERATOR_COOKIE, token, session.expiresAt - Math.floor(now() / 1000), request, reply, 'Strict');
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
    const seconds = Math.max(0, Math.floor((found.standing.expiresAt - now()) / 1000));
    setCookie(ENTRY_COOKIE, token, seconds, request, reply);
  }

  function setCookie(
    name: string,
    value: string,
    maxAgeSeconds: number,
    request: FastifyRequest,
    reply: FastifyReply,
    sameSite: 'Lax' | 'Strict' = 'Lax',
  ): void {
    reply.header(
      'set-cookie',
      writeCookie(name, value, { maxAgeSeconds, secure: options.isSecure(request), sameSite }),
    );
  }

  function countAttempt(request: FastifyRequest, email: string): void {
    const address = addressKey(request.ip);
    const { attemptsPerAddress, failuresPerAccount } = options;
    const seconds = Math.max(attemptsPerAddress.secondsToWait(address), failuresPerAccount.secondsToWait(email));
    if (seconds > 0) {
      const message = `Too many attempts to sign in. Try again in ${seconds} seconds.`;
      throw new AppError('RATE_LIMITED', { message, retryAfterSeconds: seconds });
    }
    attemptsPerAddress.count(address);
  }

  function toAccount(outcome: RegisterOutcome | SignInOutcome, email: string): Account {
    switch (outcome.outcome) {
      case 'busy':
        throw new AppError('SIGN_IN_BUSY', { retryAfterSeconds: BUSY_RETRY_SECONDS });
      case 'wrong':
      case 'taken':
        options.failuresPerAccount.count(email);
        throw new AppError(outcome.outcome === 'wrong' ? 'WRONG_CREDENTIALS' : 'EMAIL_TAKEN');
      default:
        return outcome.account;
    }
  }
};

function requireEmail(text: string): string {
  const email = normaliseEmail(text);
  if (email !== undefined) return email;
  const message = 'email must be an address like name@example.org';
  throw new AppError('INVALID_INPUT', { message, fields: [{ field: 'email', message }] });
}

function toWho({ userId, email, name, role }: Account): WhoAnswer {
  return { userId, kind: 'user', email, role, ...(name === undefined ? {} : { name }) };
}
