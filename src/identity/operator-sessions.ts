/**
 * Sessions of operators who signed in on the admin page: a signed cookie that is valid for 30 minutes and renewed while
 * the page is open, up to 12 hours. Every use looks up whether it was ended and which role its owner has now: operators
 * are few, so a lookup per request costs nothing. A sign-out, and a changed role of an account, take effect in every
 * process with the next request; a revoked service key or invitation within two seconds. The identity provider is never
 * asked: its operators go on while it is away.
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
import type { People, PersonRef } from './provider/people.ts';
import { isOperatorRole, type OperatorRole } from './roles/operator-roles.ts';
import type { MissingStep } from './second-factor.ts';
import { ADMIN_KEY_NAME, type ServiceKey } from './service-keys/service-key.ts';
import type { ServiceKeys } from './service-keys/service-keys.ts';

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
  /** The account that started it. */
  by?: string;
  /** The service key that started it. Neither this nor another owner: ADMIN_TOKEN. */
  key?: Pick<ServiceKey, 'name' | 'id'>;
  /** The operator of the identity provider who started it. */
  person?: PersonRef;
  /** In seconds since the epoch. */
  startedAt: number;
  expiresAt: number;
}

/** A valid session, with what its owner may do now. */
export interface FoundSession extends OperatorSession {
  name: string;
  role: OperatorRole;
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
  begin(account: StartingAccount): SignedSession;
  beginByKey(key: ServiceKey): SignedSession;
  /** `startedAt`: from when on a session of the person is valid, in seconds. */
  beginByPerson(person: PersonRef, startedAt: number): SignedSession;
  beginPending(account: StartingAccount, missing: MissingStep): SignedSession;
  /** The session of a valid cookie that was not ended and whose owner is still an operator. */
  find(cookies: string | undefined): Promise<FoundSession | undefined>;
  /** The session of a cookie that still needs its second factor, and its account. */
  findPending(cookies: string | undefined): Promise<{ session: PendingSession; account: OperatorAccount } | undefined>;
  /** The owner of a cookie with a right signature, for the audit trail; not whether it is still valid. */
  nameOf(cookies: string | undefined): string | undefined;
  /** Extends the session. */
  renew(session: OperatorSession): SignedSession;
  /** Ends the session in every process, for good. */
  end(session: OperatorSession): Promise<void>;
  /** Ends all sessions of the account in every process, for good. */
  endAllOf(by: string): Promise<void>;
}

export interface OperatorSessionsOptions {
  signing: Pick<OperatorKeys, 'session' | 'pending'>;
  ended: EndedSessions;
  /** undefined: there is no database, so sessions of accounts are refused. */
  accounts: OperatorAccounts | undefined;
  keys: Pick<ServiceKeys, 'findAgain'>;
  people: Pick<People, 'roleOf'>;
  /** Whether sessions of accounts without a second factor are refused. */
  requiresFactor: boolean;
  clock: Clock;
}

export function createOperatorSessions(options: OperatorSessionsOptions): OperatorSessions {
  const { signing, ended, accounts, keys, people, requiresFactor, clock } = options;
  const nowSeconds = () => Math.floor(clock.now() / 1000);
  const full = lazily(() => createCodec(signing.session(), SESSION_TYP, toSession, clock));
  const pending = lazily(() => createCodec(signing.pending(), PENDING_TYP, toPending, clock));
  const startOf = (account: StartingAccount) => Math.max(nowSeconds(), account.sessionsEndedAt + 1);
  const newId = () => randomBytes(12).toString('base64url');

  const sign = ({ id, by, key, person, startedAt }: Omit<OperatorSession, 'expiresAt'>): SignedSession => {
    const iat = nowSeconds();
    const exp = Math.min(iat + SESSION_SECONDS, startedAt + LONGEST_SECONDS);
    const owner = { ...(by && { by }), ...(key && { key }), ...(person && { person }) };
    const token = full().sign({ sub: id, iat, exp, startedAt, ...owner });
    return { session: { id, startedAt, expiresAt: exp, ...owner }, token };
  };

  /** undefined: the account is no operator, or the session is over. */
  async function findAccount({ by, startedAt }: OperatorSession): Promise<OperatorAccount | undefined> {
    const account = by === undefined ? undefined : await accounts?.find(by);
    return account?.role !== undefined && startedAt > account.sessionsEndedAt ? account : undefined;
  }

  /** undefined: its owner is no operator any more. */
  async function findRole(session: OperatorSession): Promise<OperatorRole | undefined> {
    const { by, key, person, startedAt } = session;
    if (person !== undefined) return people.roleOf(person, startedAt);
    if (by === undefined) return (await keys.findAgain(key?.name ?? ADMIN_KEY_NAME, key?.id ?? ''))?.role;
    const account = await findAccount(session);
    return requiresFactor && account?.hasFactor === false ? undefined : account?.role;
  }

  return {
    begin: (account) => sign({ id: newId(), startedAt: startOf(account), by: account.email }),
    beginByKey: ({ name, id }) => sign({ id: newId(), startedAt: nowSeconds(), key: { name, id } }),
    beginByPerson: (person, startedAt) => sign({ id: newId(), startedAt, person }),
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
      const [hasEnded, role] = await Promise.all([ended.hasEnded(session.id), findRole(session)]);
      return hasEnded || role === undefined ? undefined : { ...session, name: ownerOf(session), role };
    },
    async findPending(cookies) {
      const token = readCookie(cookies, OPERATOR_COOKIE);
      const session = token === undefined ? undefined : pending().verify(token);
      if (session === undefined) return undefined;
      const [hasEnded, account] = await Promise.all([ended.hasEnded(session.id), findAccount(session)]);
      return hasEnded || account === undefined ? undefined : { session, account };
    },
    nameOf(cookies) {
      const token = readCookie(cookies, OPERATOR_COOKIE);
      const session = token === undefined ? undefined : (full().verify(token) ?? pending().verify(token));
      return session && ownerOf(session);
    },
    renew: sign,
    // A copy of the cookie can be renewed until the longest time, so it is remembered for as long.
    end: ({ id, startedAt }) => ended.end(id, startedAt + LONGEST_SECONDS),
    endAllOf: async (by) => accounts?.endSessions(by, nowSeconds()),
  };
}

/** As the audit trail names them. */
export function ownerOf({ by, key, person }: Pick<OperatorSession, 'by' | 'key' | 'person'>): string {
  return by ?? person?.name ?? key?.name ?? ADMIN_KEY_NAME;
}

function createCodec<T>(secret: string, typ: string, read: (claims: Claims) => T | undefined, clock: Clock) {
  return {
    sign: createTokenSigner({ secret, typ }),
    verify: createTokenVerifier({ secrets: [secret], typ, read, clock, remembered: REMEMBERED }),
  };
}

function toSession({ sub, startedAt, exp, by, key, person }: Claims): OperatorSession | undefined {
  if (typeof startedAt !== 'number') return undefined;
  // An owner that cannot be read must not turn into ADMIN_TOKEN, which is the owner of a session without one.
  if ((key !== undefined && !isKeyRef(key)) || (person !== undefined && !isPersonRef(person))) return undefined;
  const owner = { ...(typeof by === 'string' && { by }), ...(key && { key }), ...(person && { person }) };
  return { id: sub, startedAt, expiresAt: exp, ...owner };
}

function isKeyRef(value: unknown): value is NonNullable<OperatorSession['key']> {
  const { name, id } = (value ?? {}) as Record<string, unknown>;
  return typeof name === 'string' && typeof id === 'string';
}

function isPersonRef(value: unknown): value is PersonRef {
  const { id, name, role, email } = (value ?? {}) as Record<string, unknown>;
  const isKnown = typeof id === 'string' && typeof name === 'string';
  return isKnown && (isOperatorRole(role) || (role === undefined && typeof email === 'string'));
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
