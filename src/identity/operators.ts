/** Authenticates operators, by the operator token or by a session, and audits what they do. */
import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '../http/errors.ts';
import { isSameOrigin } from '../http/same-origin.ts';
import { isSameSecret } from '../platform/jwt/tokens.ts';
import type { AuditTrail } from './audit-trail.ts';
import type { OperatorSession, OperatorSessions } from './operator-sessions.ts';
import { bearerOf } from './visitor.ts';

/** The parts of a request that authenticate an operator. */
export interface OperatorRequest {
  method: string;
  headers: IncomingHttpHeaders;
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
   * Throws OPERATOR_ONLY unless the request carries the operator token or a session. Throws CROSS_SITE for a change by
   * session that does not come from a page of this site.
   */
  require(request: OperatorRequest): void;
  isToken(token: string): boolean;
  findSession(headers: IncomingHttpHeaders): OperatorSession | undefined;
  sessions: OperatorSessions;
  trail: AuditTrail;
  /** Records the action in the audit trail; resolves when it is in the file. */
  audit(request: AuditedRequest, action: AuditedAction): Promise<void>;
}

export interface AuditedAction {
  action: string;
  /** undefined if it concerns no event. */
  eventId?: string;
  details?: Record<string, unknown>;
}

export interface OperatorsOptions {
  adminToken: string;
  sessions: OperatorSessions;
  trail: AuditTrail;
}

const READING = ['GET', 'HEAD'];

export function createOperators({ adminToken, sessions, trail }: OperatorsOptions): Operators {
  const isToken = (token: string) => isSameSecret(token, adminToken);
  return {
    require(request) {
      const { method, headers } = request;
      // A wrong token is refused even if a valid session cookie is present.
      const isOperator =
        headers.authorization === undefined
          ? sessions.find(headers.cookie) !== undefined
          : isToken(bearerOf(headers.authorization));
      if (!isOperator) throw new AppError('OPERATOR_ONLY');
      // Browsers attach cookies to cross-site requests. A token cannot be attached by another site.
      if (headers.authorization === undefined && !READING.includes(method) && !isSameOrigin(request)) {
        throw new AppError('CROSS_SITE');
      }
    },
    isToken,
    findSession: ({ cookie }) => sessions.find(cookie),
    sessions,
    trail,
    audit({ headers, ip, id }, { action, eventId, details = {} }) {
      const by = (headers.authorization === undefined && sessions.find(headers.cookie)?.by) || 'token';
      const about = eventId === undefined ? {} : { eventId };
      return trail.write({ action, ...about, by, from: ip, traceId: id, details });
    },
  };
}
