/** Authenticates operators, by the operator token or by a session, and audits what they do. */
import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '../http/errors.ts';
import { isSameOrigin } from '../http/same-origin.ts';
import { isSameSecret } from '../platform/jwt/tokens.ts';
import type { AuditTrail } from './audit-trail.ts';
import type { OperatorAccount, OperatorAccounts } from './operator-accounts.ts';
import type { OperatorSession, OperatorSessions, SignedSession } from './operator-sessions.ts';
import type { RefusedAttempts } from './refused-attempts.ts';
import type { SecondFactor } from './second-factor.ts';
import { bearerOf } from './visitor.ts';

/** The parts of a request that authenticate an operator. */
export interface OperatorRequest extends AuditedRequest {
  method: string;
  protocol: string;
  host: string;
}

/** The parts of a request that the audit trail records. */
export interface AuditedRequest {
  headers: IncomingHttpHeaders;
  ip: string;
  id: string;
}

export interface Operators {
  /**
   * Throws unless the request carries the operator token or a session: OPERATOR_ONLY, RATE_LIMITED after too many wrong
   * tokens, SECOND_FACTOR_REQUIRED for a session that still needs its code. Throws CROSS_SITE for a change by session that
   * does not come from a page of this site.
   */
  require(request: OperatorRequest): Promise<void>;
  isToken(token: string): boolean;
  findSession(headers: IncomingHttpHeaders): Promise<OperatorSession | undefined>;
  /** The session of an account whose password was right; undefined: the account is no operator. */
  signInAccount(request: AuditedRequest, email: string): Promise<SignedSession | undefined>;
  /** Ends the session of the request, if there is one. */
  signOut(request: AuditedRequest): Promise<void>;
  /** Records the action in the audit trail; resolves when it is stored. */
  audit(request: AuditedRequest, action: AuditedAction): Promise<void>;
  sessions: OperatorSessions;
  trail: AuditTrail;
  refused: RefusedAttempts;
  /** undefined: there is no database, so operators have no accounts. */
  accounts: AccountOperators | undefined;
}

export interface AccountOperators {
  store: OperatorAccounts;
  secondFactor: SecondFactor;
}

export interface AuditedAction {
  action: string;
  /** undefined: the account of the session, or `token`. */
  by?: string;
  /** undefined if it concerns no event. */
  eventId?: string;
  details?: Record<string, unknown>;
}

export interface OperatorsOptions extends Pick<Operators, 'sessions' | 'trail' | 'refused' | 'accounts'> {
  adminToken: string;
}

const READING = ['GET', 'HEAD'];

export function createOperators({ adminToken, sessions, trail, refused, accounts }: OperatorsOptions): Operators {
  const isToken = (token: string) => isSameSecret(token, adminToken);

  const audit: Operators['audit'] = (request, { action, by, eventId, details = {} }) => {
    const { headers, ip, id } = request;
    const about = eventId === undefined ? {} : { eventId };
    return trail.write({ action, ...about, by: by ?? nameOf(headers), from: ip, traceId: id, details });
  };

  function nameOf({ authorization, cookie }: IncomingHttpHeaders): string {
    if (authorization === undefined) return sessions.nameOf(cookie) ?? 'unknown';
    return isToken(bearerOf(authorization)) ? 'token' : 'unknown';
  }

  /** The right token passes at any rate: it cannot be guessed, and scripts share addresses with strangers. */
  async function requireToken(request: OperatorRequest): Promise<void> {
    if (isToken(bearerOf(request.headers.authorization!))) return;
    const retryAfterSeconds = await refused.note('refused token', request);
    if (retryAfterSeconds === 0) throw new AppError('OPERATOR_ONLY');
    const message = `Too many wrong operator tokens from this address. Try again in ${retryAfterSeconds} seconds.`;
    throw new AppError('RATE_LIMITED', { message, retryAfterSeconds });
  }

  async function requireSession({ headers }: OperatorRequest): Promise<void> {
    if ((await sessions.find(headers.cookie)) !== undefined) return;
    const pending = await sessions.findPending(headers.cookie);
    throw new AppError(pending === undefined ? 'OPERATOR_ONLY' : 'SECOND_FACTOR_REQUIRED');
  }

  async function beginSession(account: OperatorAccount, request: AuditedRequest): Promise<SignedSession> {
    const { email } = account;
    const missing = accounts!.secondFactor.findMissing(account);
    if (missing !== undefined) return sessions.beginPending(account, missing);
    const signed = sessions.begin(account);
    await audit(request, { action: 'sign in', by: email, details: { session: signed.session.id } });
    return signed;
  }

  return {
    async require(request) {
      // A wrong token is refused even if a valid session cookie is present.
      if (request.headers.authorization !== undefined) return requireToken(request);
      await requireSession(request);
      // Browsers attach cookies to cross-site requests. A token cannot be attached by another site.
      if (!READING.includes(request.method) && !isSameOrigin(request)) throw new AppError('CROSS_SITE');
    },
    isToken,
    findSession: ({ cookie }) => sessions.find(cookie),
    async signInAccount(request, email) {
      const account = await accounts?.store.find(email);
      return account?.isOperator === true ? beginSession(account, request) : undefined;
    },
    async signOut(request) {
      const { cookie } = request.headers;
      const session = await sessions.find(cookie);
      const ending = session ?? (await sessions.findPending(cookie))?.session;
      if (ending === undefined) return;
      await sessions.end(ending);
      const by = ending.by ?? 'token';
      if (session !== undefined) await audit(request, { action: 'sign out', by, details: { session: session.id } });
    },
    audit,
    sessions,
    trail,
    refused,
    accounts,
  };
}
