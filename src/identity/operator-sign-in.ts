/** Begins and ends the sessions of operators, and audits both. */
import type { IncomingHttpHeaders } from 'node:http';
import type { OperatorAccounts } from './operator-accounts.ts';
import { type OperatorSessions, ownerOf, type SignedSession } from './operator-sessions.ts';
import type { People } from './provider/people.ts';
import type { ProviderOperator } from './provider/provider-claims.ts';
import type { SecondFactor } from './second-factor.ts';

export interface SignIns {
  /** The session of an account whose password was right; undefined: the account is no operator. */
  signInAccount(request: AuditedRequest, email: string): Promise<SignedSession | undefined>;
  /** The session of an operator who has signed in at the identity provider; undefined: they have no role here. */
  signInPerson(request: AuditedRequest, operator: ProviderOperator): Promise<SignedSession | undefined>;
  /** Ends the session of the request, if there is one. */
  signOut(request: AuditedRequest): Promise<void>;
}

/** The parts of a request that the audit trail records. */
export interface AuditedRequest {
  headers: IncomingHttpHeaders;
  ip: string;
  id: string;
}

export interface AuditedAction {
  action: string;
  /** undefined: the operator who asks. */
  by?: string;
  /** undefined if it concerns no event. */
  eventId?: string;
  details?: Record<string, unknown>;
}

export type AuditOf = (request: AuditedRequest, action: AuditedAction) => Promise<void>;

export interface AccountOperators {
  store: OperatorAccounts;
  secondFactor: SecondFactor;
}

export interface SignInsOptions {
  sessions: OperatorSessions;
  people: Pick<People, 'admit' | 'startOf'>;
  /** undefined: there is no database, so operators have no accounts. */
  accounts: AccountOperators | undefined;
  audit: AuditOf;
}

export function createSignIns({ sessions, people, accounts, audit }: SignInsOptions): SignIns {
  return {
    async signInAccount(request, email) {
      const account = await accounts?.store.find(email);
      if (account?.role === undefined) return undefined;
      const missing = accounts!.secondFactor.findMissing(account);
      if (missing !== undefined) return sessions.beginPending(account, missing);
      const signed = sessions.begin(account);
      await audit(request, { action: 'sign in', by: email, details: { session: signed.session.id } });
      return signed;
    },
    async signInPerson(request, operator) {
      const { name: by, issuer, subject } = operator;
      const outcome = await people.admit(operator);
      if (outcome.outcome === 'no-role') {
        await audit(request, { action: 'refused sign in', by, details: { issuer, subject, reason: 'no role' } });
        return undefined;
      }
      const { person, role } = outcome;
      const signed = sessions.beginByPerson(person, await people.startOf(person.id));
      await audit(request, { action: 'sign in', by, details: { session: signed.session.id, issuer, subject, role } });
      return signed;
    },
    async signOut(request) {
      const { cookie } = request.headers;
      const session = await sessions.find(cookie);
      const ending = session ?? (await sessions.findPending(cookie))?.session;
      if (ending === undefined) return;
      await sessions.end(ending);
      const details = { session: ending.id };
      if (session !== undefined) await audit(request, { action: 'sign out', by: ownerOf(ending), details });
    },
  };
}
