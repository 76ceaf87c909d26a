/** Endpoints for the second factor of operators who sign in with an account: enter a code, enrol, remove. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { encode } from 'uqr';
import { AppError } from '../../http/errors.ts';
import { isSameOrigin } from '../../http/same-origin.ts';
import type { OperatorAccount } from '../operator-accounts.ts';
import type { AccountOperators } from '../operator-sign-in.ts';
import type { Operators } from '../operators.ts';
import type { MissingStep, SecondFactor } from '../second-factor.ts';
import { createOperatorCookie, type OperatorCookieOptions } from './operator-cookie.ts';
import { SessionAnswer, toSessionAnswer } from './operator-session-answer.ts';

export interface SecondFactorOptions extends OperatorCookieOptions {
  operators: Operators & { accounts: AccountOperators };
  countRefusal: () => void;
}

const CodeBody = Type.Object(
  { code: Type.String({ minLength: 6, maxLength: 40, description: 'of the authenticator app, or a recovery code' }) },
  { additionalProperties: false },
);
const StateAnswer = Type.Object({
  setting: Type.Union([Type.Literal('optional'), Type.Literal('required')]),
  enrolled: Type.Boolean(),
  recoveryCodesLeft: Type.Integer(),
});
const BeginAnswer = Type.Object({
  secret: Type.String({ description: 'for the authenticator app, in base32' }),
  uri: Type.String({ description: 'the same as an otpauth link' }),
  qr: Type.Array(Type.String(), { description: 'the link as a QR code: rows of 1 (dark) and 0' }),
});
const ConfirmAnswer = Type.Object({
  recoveryCodes: Type.Array(Type.String(), { description: 'shown once; each is valid once' }),
});

interface Caller {
  account: OperatorAccount;
  /** undefined: the session is complete. */
  missing: MissingStep | undefined;
}

export const secondFactorRoutes: FastifyPluginAsyncTypebox<SecondFactorOptions> = async (app, options) => {
  const { operators, countRefusal } = options;
  const { sessions } = operators;
  const { store, secondFactor } = operators.accounts;
  const cookie = createOperatorCookie(options);
  const schema = { tags: ['operators: second factor'], security: [{ operator: [] }] };

  app.post(
    '/admin/session/code',
    {
      schema: {
        ...schema,
        operationId: 'enterSecondFactorCode',
        errors: ['ACCOUNT_SESSION_REQUIRED', 'WRONG_CODE', 'NO_SECOND_FACTOR'],
        summary: 'Complete the sign-in of an account with a code; sets a cookie',
        body: CodeBody,
        response: { 200: SessionAnswer },
      },
    },
    async (request, reply) => {
      const { account, missing } = await requireAccount(request, ['code']);
      if (missing === undefined) throw new AppError('ACCOUNT_SESSION_REQUIRED');
      const by = await requireCode(account, request);
      return beginSession(account, { factor: by }, request, reply);
    },
  );

  app.get(
    '/admin/second-factor',
    {
      schema: {
        ...schema,
        operationId: 'getSecondFactor',
        errors: ['ACCOUNT_SESSION_REQUIRED'],
        summary: 'The second factor of this account',
        response: { 200: StateAnswer },
      },
    },
    async (request) => {
      const { account } = await requireAccount(request, ['enrol']);
      const state = await secondFactor.store.find(account.userId);
      const setting = secondFactor.setting === 'required' ? ('required' as const) : ('optional' as const);
      const enrolled = state?.isConfirmed === true;
      return { setting, enrolled, recoveryCodesLeft: enrolled ? state.recoveryCodesLeft : 0 };
    },
  );

  app.post(
    '/admin/second-factor',
    {
      schema: {
        ...schema,
        operationId: 'beginSecondFactor',
        errors: ['ACCOUNT_SESSION_REQUIRED', 'SECOND_FACTOR_EXISTS'],
        summary: 'Begin to enrol: a secret for an authenticator app',
        response: { 200: BeginAnswer },
      },
    },
    async (request) => {
      const { account } = await requireAccount(request, ['enrol']);
      const begun = await secondFactor.begin(account);
      if (begun === undefined) throw new AppError('SECOND_FACTOR_EXISTS');
      const rows = encode(begun.uri, { border: 2 }).data;
      return { ...begun, qr: rows.map((row) => row.map((isDark) => (isDark ? '1' : '0')).join('')) };
    },
  );

  app.post(
    '/admin/second-factor/confirm',
    {
      schema: {
        ...schema,
        operationId: 'confirmSecondFactor',
        errors: ['ACCOUNT_SESSION_REQUIRED', 'WRONG_CODE', 'NO_SECOND_FACTOR'],
        summary: 'Enrol with the first code; other sessions of the account end',
        body: CodeBody,
        response: { 200: ConfirmAnswer },
      },
    },
    async (request, reply) => {
      const { account } = await requireAccount(request, ['enrol']);
      const outcome = await secondFactor.confirm(account, request.body.code);
      if (outcome.outcome !== 'confirmed') return refuse(outcome, account, request);
      await operators.audit(request, { action: 'enrol second factor', by: account.email });
      // They began with a password alone.
      await sessions.endAllOf(account.email);
      await beginSession(await store.find(account.email), { factor: 'app' }, request, reply);
      return { recoveryCodes: outcome.recoveryCodes };
    },
  );

  app.post(
    '/admin/second-factor/remove',
    {
      schema: {
        ...schema,
        operationId: 'removeSecondFactor',
        errors: ['ACCOUNT_SESSION_REQUIRED', 'WRONG_CODE', 'NO_SECOND_FACTOR'],
        summary: 'Remove the second factor of this account',
        body: CodeBody,
        response: { 200: StateAnswer },
      },
    },
    async (request) => {
      const { account } = await requireAccount(request, []);
      await requireCode(account, request);
      await secondFactor.store.remove(account.userId);
      await operators.audit(request, { action: 'remove second factor', by: account.email });
      const setting = secondFactor.setting === 'required' ? ('required' as const) : ('optional' as const);
      return { setting, enrolled: false, recoveryCodesLeft: 0 };
    },
  );

  /** The account of the session. `steps`: with what missing a session is good enough. */
  async function requireAccount(request: FastifyRequest, steps: readonly MissingStep[]): Promise<Caller> {
    const { headers, method } = request;
    if (headers.authorization !== undefined) {
      await operators.require(request);
      throw new AppError('ACCOUNT_SESSION_REQUIRED');
    }
    const pending = await sessions.findPending(headers.cookie);
    if (pending !== undefined && steps.includes(pending.session.missing)) {
      if (method !== 'GET' && !isSameOrigin(request)) throw new AppError('CROSS_SITE');
      return { account: pending.account, missing: pending.session.missing };
    }
    await operators.require(request);
    const session = await operators.findSession(headers);
    const account = session?.by === undefined ? undefined : await store.find(session.by);
    if (account === undefined) throw new AppError('ACCOUNT_SESSION_REQUIRED');
    return { account, missing: undefined };
  }

  async function requireCode(account: OperatorAccount, request: FastifyRequest<{ Body: { code: string } }>) {
    const outcome = await secondFactor.check(account, request.body.code.trim());
    return outcome.outcome === 'right' ? outcome.by : refuse(outcome, account, request);
  }

  async function refuse(outcome: Refusal, { email }: OperatorAccount, request: FastifyRequest): Promise<never> {
    countRefusal();
    if (outcome.outcome === 'none') throw new AppError('NO_SECOND_FACTOR');
    if (outcome.outcome === 'wrong') {
      await operators.audit(request, { action: 'refused code', by: email });
      throw new AppError('WRONG_CODE');
    }
    // Not in the trail: the attempts before are, and these are not compared with anything.
    const { retryAfterSeconds } = outcome;
    const message = `Too many codes. Try again in ${retryAfterSeconds} seconds.`;
    throw new AppError('RATE_LIMITED', { message, retryAfterSeconds });
  }

  async function beginSession(
    account: OperatorAccount | undefined,
    details: Record<string, unknown>,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<SessionAnswer> {
    if (account?.role === undefined) throw new AppError('OPERATOR_ONLY');
    const signed = sessions.begin(account);
    const { id } = signed.session;
    await operators.audit(request, { action: 'sign in', by: account.email, details: { ...details, session: id } });
    cookie.set(signed, request, reply);
    return toSessionAnswer(signed.session, account.role);
  }
};

type Refusal = Exclude<Awaited<ReturnType<SecondFactor['check']>>, { outcome: 'right' }>;
