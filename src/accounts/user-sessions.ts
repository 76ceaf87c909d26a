/**
 * Sessions of our own users: the same kind of token with which a host site identifies its users. Each has an id, so that it can be
 * ended before it expires, and a row that its owner can see.
 */
import { randomBytes } from 'node:crypto';
import type { Visitor } from '../identity/visitor.ts';
import type { Clock } from '../platform/clock.ts';
import { RecentMap } from '../platform/collections/recent-map.ts';
import { createTokenSigner } from '../platform/jwt/tokens.ts';
import type { Account } from './account-store.ts';
import type { SessionStore, UserSession } from './session-store.ts';

export interface UserSessions {
  begin(account: SessionOwner, facts: Pick<UserSession, 'browser' | 'address'>): Promise<SignedSession>;
  /** The token of a session again, with what is now known of the account. undefined: the session is over. */
  renew(account: SessionOwner, sessionId: string): Promise<SignedSession | undefined>;
  list(userId: string): Promise<UserSession[]>;
  see(sessionId: string): Promise<void>;
  /** Whether the visitor's session was ended. */
  hasEnded(visitor: Visitor): boolean;
  end(visitor: Visitor): Promise<void>;
  /** Ends one session of the user. False if the user has no such session. */
  endOne(userId: string, sessionId: string): Promise<boolean>;
  /** Ends all sessions of the user but one. Returns how many were listed. */
  endAllOf(userId: string, except?: string): Promise<number>;
  /** One pass of the loop that reads the sessions ended by other processes. The first pass reads all of them. */
  runOnce(): Promise<'idle'>;
}

export type SessionOwner = Pick<Account, 'userId' | 'isEmailConfirmed'>;

export interface SignedSession {
  sessionId: string;
  token: string;
  /** Until it expires. */
  seconds: number;
}

export interface UserSessionsOptions {
  secret: string;
  hours: number;
  store: SessionStore;
  clock: Clock;
}

/** Sessions that this process ended recently: a read that began earlier can miss them. */
const REMEMBERED = 10_000;
/** How often all ended sessions are read, to forget those that expired. */
const PASSES_PER_FULL_READ = 600;
/** Of session ids of earlier releases, whose sessions are not listed. Today's are longer. */
const EARLIER_ID_LENGTH = 12;

export function createUserSessions({ secret, hours, store, clock }: UserSessionsOptions): UserSessions {
  const sign = createTokenSigner({ secret, typ: 'JWT' });
  const lifetimeMs = hours * 3_600_000;
  const endedHere = new RecentMap<boolean>(REMEMBERED);
  let ended = new Set<string>();
  let passes = 0;
  const isEnded = (id: string) => ended.has(id) || endedHere.get(id) === true;

  function toSigned({ userId, isEmailConfirmed }: SessionOwner, sessionId: string, expiresAt: number): SignedSession {
    const iat = Math.floor(clock.now() / 1000);
    const exp = Math.floor(expiresAt / 1000);
    const confirmed = isEmailConfirmed ? { email_verified: true } : {};
    return { sessionId, token: sign({ sub: userId, jti: sessionId, ...confirmed, iat, exp }), seconds: exp - iat };
  }

  async function end(sessionId: string): Promise<void> {
    endedHere.set(sessionId, true);
    await store.end(sessionId, clock.now() + lifetimeMs);
  }

  return {
    async begin(account, facts) {
      const now = clock.now();
      const sessionId = randomBytes(15).toString('base64url');
      const expiresAt = now + lifetimeMs;
      await store.begin({ ...facts, sessionId, userId: account.userId, signedInAt: now, lastSeenAt: now, expiresAt });
      return toSigned(account, sessionId, expiresAt);
    },
    async renew(account, sessionId) {
      const session = await store.find(sessionId);
      if (session === undefined || session.userId !== account.userId) return undefined;
      return toSigned(account, sessionId, session.expiresAt);
    },
    list: (userId) => store.list(userId),
    see: (sessionId) => store.see(sessionId),
    hasEnded: ({ id, sessionId }) =>
      sessionId !== undefined &&
      (isEnded(sessionId) || (sessionId.length === EARLIER_ID_LENGTH && isEnded(`user:${id}`))),
    async end({ sessionId }) {
      if (sessionId !== undefined) await end(sessionId);
    },
    async endOne(userId, sessionId) {
      if ((await store.find(sessionId))?.userId !== userId) return false;
      await end(sessionId);
      return true;
    },
    async endAllOf(userId, except) {
      const ids = await store.endAllOf(userId, except, clock.now() + lifetimeMs);
      for (const id of [...ids, `user:${userId}`]) endedHere.set(id, true);
      return ids.length;
    },
    async runOnce() {
      if (passes % PASSES_PER_FULL_READ === 0) ended = new Set(await store.listEnded('all'));
      else for (const id of await store.listEnded('latest')) ended.add(id);
      passes += 1;
      return 'idle';
    },
  };
}
