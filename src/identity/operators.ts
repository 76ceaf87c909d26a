/** Operators: who may change a room. By the token itself, or by the session of somebody who signed in with it. */
import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '../http/errors.ts';
import { isSameOrigin } from '../http/same-origin.ts';
import { isSameSecret } from '../platform/jwt/tokens.ts';
import type { AuditTrail } from './audit-trail.ts';
import type { OperatorSession, OperatorSessions } from './operator-sessions.ts';
import { bearerOf } from './visitor.ts';

/** What decides whether a request is an operator's. */
export interface OperatorRequest {
  method: string;
  headers: IncomingHttpHeaders;
  protocol: string;
  host: string;
}

/** Of a request that changed something. */
export interface AuditedRequest {
  headers: IncomingHttpHeaders;
  ip: string;
  id: string;
}

export interface Operators {
  /**
   * Throws OPERATOR_ONLY unless the request carries the operators' token or a session, and CROSS_SITE if it would change
   * something by a session and does not come from a page of this site.
   */
  require(request: OperatorRequest): void;
  isToken(token: string): boolean;
  findSession(headers: IncomingHttpHeaders): OperatorSession | undefined;
  sessions: OperatorSessions;
  trail: AuditTrail;
  /** Writes into the trail what the request did; resolves when the line is in the file. */
  audit(request: AuditedRequest, deed: Deed): Promise<void>;
}

/** What was done. */
export interface Deed {
  action: string;
  /** undefined where it concerns no event. */
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
      // Whoever sends a token means it: a wrong one is not made good by a cookie that happens to be there.
      const isOperator =
        headers.authorization === undefined
          ? sessions.find(headers.cookie) !== undefined
          : isToken(bearerOf(headers.authorization));
      if (!isOperator) throw new AppError('OPERATOR_ONLY');
      // A browser sends a cookie along with what another site has it send; nobody else can send the token.
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
