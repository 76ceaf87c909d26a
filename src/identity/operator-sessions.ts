/**
 * Sessions of operators who signed in on the admin page: a signed cookie that is valid for 30 minutes and renewed while
 * the page is open, up to 12 hours. Every use looks up whether it was ended and, for a session of an account, whether the
 * account is still an operator: operators are few, so a lookup per request costs nothing, and a revoked role or a sign-out
 * takes effect in every process with the next request.
 *
 * A session of an account that still needs its second factor is a cookie of another kind: it is valid for that step only.
 */
import { randomBytes } from 'node:crypto';
import type { Clock } from '../platform/clock.ts';
import { type IdentityCookie, readCookie } from '../platform/http-server/cookies.ts';
import { type Claims, createTokenSigner, createTokenVerifier } from '../platform/jwt/tokens.ts';
import type { OperatorKeys } from '../signing-keys/operator-keys.ts';
import type { EndedSessions } from './ended-sessions.ts';
import type { OperatorAccount, OperatorAccounts } from './operator-accounts.ts';
import type { MissingStep } from './second-factor.ts';

export const OPERATOR_COOKIE: IdentityCookie = { name: 'fairline-operator' };

const SESSION_TYP = 'operator+jwt';
const PENDING_TYP = 'operator-pending+jwt';
const SESSION_SECONDS = 1_800;
const LONGEST_SECONDS = 12 * 3_600;
/** How long the second factor may take. */
const PENDING_SECONDS = 600;
/** Size of the caches of verified signatures. Operators are few. */
const REMEMBERED = 1_000;

export interface OperatorSession {
  id: string;
  /** The account that started it; undefined: the operator token. */
  by?: string;
  /** In seconds since the epoch. */
  startedAt: number;
  expiresAt: number;
}

export interface PendingSession extends OperatorSession {
  by: string;
  missing: MissingStep;
}

export interface SignedSession {
  session: OperatorSession;
  token: string;
}

/** Looked up just now, so that its new session starts after those that were ended. */
type StartingAccount = Pick<OperatorAccount, 'email' | 'sessionsEndedAt'>;

export interface OperatorSessions {
  /** undefined: by the operator token. */
  begin(account?: StartingAccount): SignedSession;
  beginPending(account: StartingAccount, missing: MissingStep): SignedSession;
  /** The session of a valid cookie that was not ended and whose account is still an operator. */
  find(cookies: string | undefined): Promise<OperatorSession | undefined>;
  /** The session of a cookie that still needs its second factor, and its account. */
  findPending(cookies: string | undefined): Promise<{ session: PendingSession; account: OperatorAccount } | undefined>;
  /** The account of a cookie with a right signature, for the audit trail; not whether it is still valid. */
  nameOf(cookies: string | undefined): string | undefined;
  /** Extends the session. */
  renew(session: OperatorSession): SignedSession;
  /** Ends the session in every process, for good. */
  end(session: OperatorSession): Promise<void>;
  /** Ends all sessions of the account in every process, for good. */
  endAllOf(by: string): Promise<void>;
}

export interface OperatorSessionsOptions {
  keys: Pick<OperatorKeys, 'session' | 'pending'>;
  ended: EndedSessions;
  /** undefined: there is no database, so sessions of accounts are refused. */
  accounts: OperatorAccounts | undefined;
  /** Whether sessions of accounts without a second factor are refused. */
  requiresFactor: boolean;
  clock: Clock;
}

export function createOperatorSessions(options: OperatorSessionsOptions): OperatorSessions {
  const { keys, ended, accounts, requiresFactor, clock } = options;
  const nowSeconds = () => Math.floor(clock.now() / 1000);
  const full = lazily(() => createCodec(keys.session(), SESSION_TYP, toSession, clock));
  const pending = lazily(() => createCodec(keys.pending(), PENDING_TYP, toPending, clock));
  const startOf = (account?: StartingAccount) => Math.max(nowSeconds(), (account?.sessionsEndedAt ?? 0) + 1);
  const newId = () => randomBytes(12).toString('base64url');

  const sign = ({ id, by, startedAt }: Omit<OperatorSession, 'expiresAt'>): SignedSession => {
    const iat = nowSeconds();
    const exp = Math.min(iat + SESSION_SECONDS, startedAt + LONGEST_SECONDS);
    const named = by === undefined ? {} : { by };
    const token = full().sign({ sub: id, iat, exp, startedAt, ...named });
    return { session: { id, startedAt, expiresAt: exp, ...named }, token };
  };

  /** undefined: the account is no operator, or the session is over. */
  async function findAccount({ id, by, startedAt }: OperatorSession): Promise<OperatorAccount | undefined> {
    if (by === undefined || accounts === undefined) return undefined;
    const [hasEnded, account] = await Promise.all([ended.hasEnded(id), accounts.find(by)]);
    const isValid = account?.isOperator === true && startedAt > account.sessionsEndedAt && !hasEnded;
    return isValid ? account : undefined;
  }

  return {
    begin: (account) =>
      sign({ id: newId(), startedAt: startOf(account), ...(account === undefined ? {} : { by: account.email }) }),
    beginPending(account, missing) {
      const [iat, by] = [nowSeconds(), account.email];
      const session = { id: newId(), by, startedAt: startOf(account), expiresAt: iat + PENDING_SECONDS };
      const { id: sub, startedAt, expiresAt: exp } = session;
      return { session, token: pending().sign({ sub, iat, exp, startedAt, by, missing }) };
    },
    async find(cookies) {
      const token = readCookie(cookies, OPERATOR_COOKIE);
      const session = token === undefined ? undefined : full().verify(token);
      if (session === undefined) return undefined;
      if (session.by === undefined) return (await ended.hasEnded(session.id)) ? undefined : session;
      const account = await findAccount(session);
      return account === undefined || (requiresFactor && !account.hasFactor) ? undefined : session;
    },
    async findPending(cookies) {
      const token = readCookie(cookies, OPERATOR_COOKIE);
      const session = token === undefined ? undefined : pending().verify(token);
      const account = session && (await findAccount(session));
      return session && account && { session, account };
    },
    nameOf(cookies) {
      const token = readCookie(cookies, OPERATOR_COOKIE);
      const session = token === undefined ? undefined : (full().verify(token) ?? pending().verify(token));
      return session && (session.by ?? 'token');
    },
    renew: sign,
    // A copy of the cookie can be renewed until the longest time, so it is remembered for as long.
    end: ({ id, startedAt }) => ended.end(id, startedAt + LONGEST_SECONDS),
    endAllOf: async (by) => accounts?.endSessions(by, nowSeconds()),
  };
}

function createCodec<T>(secret: string, typ: string, read: (claims: Claims) => T | undefined, clock: Clock) {
  return {
    sign: createTokenSigner({ secret, typ }),
    verify: createTokenVerifier({ secrets: [secret], typ, read, clock, remembered: REMEMBERED }),
  };
}

function toSession({ sub, startedAt, exp, by }: Claims): OperatorSession | undefined {
  if (typeof startedAt !== 'number') return undefined;
  return { id: sub, startedAt, expiresAt: exp, ...(typeof by === 'string' ? { by } : {}) };
}

function toPending({ missing, ...claims }: Claims): PendingSession | undefined {
  const session = toSession(claims as Claims);
  if (session?.by === undefined || (missing !== 'code' && missing !== 'enrol')) return undefined;
  return { ...session, by: session.by, missing };
}

function lazily<T>(create: () => T): () => T {
  let value: T | undefined;
  return () => {
    value ??= create();
    return value;
  };
}
