/** Authenticates operators, by a service key or by a session, checks their role, and audits what they do. */
import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '../http/errors.ts';
import { isSameOrigin } from '../http/same-origin.ts';
import type { AuditTrail } from './audit-trail.ts';
import type { FoundSession, OperatorSessions } from './operator-sessions.ts';
import {
  type AccountOperators,
  type AuditedRequest,
  type AuditOf,
  createSignIns,
  type SignIns,
} from './operator-sign-in.ts';
import type { People } from './provider/people.ts';
import type { RefusedAttempts } from './refused-attempts.ts';
import { findRoleOf, toEndpoint } from './roles/endpoint-roles.ts';
import { mayActAs, type OperatorRole } from './roles/operator-roles.ts';
import type { ServiceKeys } from './service-keys/service-keys.ts';
import { bearerOf } from './visitor.ts';

/** The parts of a request that authenticate an operator, and say what they want. */
export interface OperatorRequest extends AuditedRequest {
  method: string;
  protocol: string;
  host: string;
  /** The route as it was registered. */
  routeOptions: { url?: string | undefined };
}

/** Who asks. */
export interface Caller {
  /** As the audit trail has it: an account, the name of a service key, or an operator of the identity provider. */
  name: string;
  role: OperatorRole;
}

export interface Operators extends SignIns {
  /**
   * Throws unless the request carries a service key or a session whose role is enough for the endpoint
   * (roles/endpoint-roles.ts): OPERATOR_ONLY, ROLE_REQUIRED, RATE_LIMITED after too many wrong keys,
   * SECOND_FACTOR_REQUIRED for a session that still needs its code. Throws CROSS_SITE for a change by session that does
   * not come from a page of this site.
   */
  require(request: OperatorRequest): Promise<Caller>;
  /** The operator of a request that `require` has accepted. */
  callerOf(request: AuditedRequest): Caller;
  findSession(headers: IncomingHttpHeaders): Promise<FoundSession | undefined>;
  /** Records the action in the audit trail; resolves when it is stored. */
  audit: AuditOf;
  sessions: OperatorSessions;
  keys: ServiceKeys;
  people: People;
  trail: AuditTrail;
  refused: RefusedAttempts;
  /** undefined: there is no database, so operators have no accounts. */
  accounts: AccountOperators | undefined;
}

export interface OperatorsOptions
  extends Pick<Operators, 'sessions' | 'keys' | 'people' | 'trail' | 'refused' | 'accounts'> {
  /** Counts an operator whose role was not enough. */
  onRoleRefused: (caller: Caller, endpoint: string) => void;
}

const READING = ['GET', 'HEAD'];

export function createOperators(options: OperatorsOptions): Operators {
  const { sessions, keys, people, trail, refused, accounts } = options;
  /** For the audit trail: who asks was found out once. */
  const callers = new WeakMap<AuditedRequest, Caller>();

  const audit: Operators['audit'] = (request, { action, by, eventId, details = {} }) => {
    const { headers, ip, id } = request;
    const about = eventId === undefined ? {} : { eventId };
    const name = by ?? callers.get(request)?.name ?? sessions.nameOf(headers.cookie) ?? 'unknown';
    return trail.write({ action, ...about, by: name, from: ip, traceId: id, details });
  };

  /** The right key passes at any rate: it cannot be guessed, and scripts share addresses with strangers. */
  async function requireKey(request: OperatorRequest): Promise<Caller> {
    const key = await keys.find(bearerOf(request.headers.authorization!));
    if (key !== undefined) {
      keys.noteUse(key, request.ip);
      return key;
    }
    const retryAfterSeconds = await refused.note('refused token', request);
    if (retryAfterSeconds === 0) throw new AppError('OPERATOR_ONLY');
    const message = `Too many wrong operator tokens from this address. Try again in ${retryAfterSeconds} seconds.`;
    throw new AppError('RATE_LIMITED', { message, retryAfterSeconds });
  }

  async function requireSession(request: OperatorRequest): Promise<Caller> {
    const { cookie } = request.headers;
    const session = await sessions.find(cookie);
    if (session === undefined) {
      const pending = await sessions.findPending(cookie);
      throw new AppError(pending === undefined ? 'OPERATOR_ONLY' : 'SECOND_FACTOR_REQUIRED');
    }
    // Browsers attach cookies to cross-site requests. A key cannot be attached by another site.
    if (!READING.includes(request.method) && !isSameOrigin(request)) throw new AppError('CROSS_SITE');
    return session;
  }

  function requireRole(caller: Caller, { method, routeOptions }: OperatorRequest): void {
    const needed = findRoleOf(method, routeOptions.url);
    const endpoint = toEndpoint(method, routeOptions.url ?? '');
    if (needed === undefined) throw new Error(`${endpoint} has no role: add it to identity/roles/endpoint-roles.ts`);
    if (mayActAs(caller.role, needed)) return;
    options.onRoleRefused(caller, endpoint);
    const message = `This needs the role ${needed}; yours is ${caller.role}. Ask an admin for it.`;
    throw new AppError('ROLE_REQUIRED', { message });
  }

  return {
    async require(request) {
      // A wrong key is refused even if a valid session cookie is present.
      const caller = await (request.headers.authorization !== undefined
        ? requireKey(request)
        : requireSession(request));
      requireRole(caller, request);
      callers.set(request, caller);
      return caller;
    },
    callerOf(request) {
      const caller = callers.get(request);
      if (caller === undefined) throw new Error('the request was not authenticated');
      return caller;
    },
    findSession: ({ cookie }) => sessions.find(cookie),
    ...createSignIns({ sessions, people, accounts, audit }),
    audit,
    sessions,
    keys,
    people,
    trail,
    refused,
    accounts,
  };
}
