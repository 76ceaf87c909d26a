/**
 * Sessions of our own users: the same kind of token with which a host site identifies its users. Each has an id, so that it can be
 * ended before it expires.
 */
import { randomBytes } from 'node:crypto';
import type { Visitor } from '../identity/visitor.ts';
import type { Clock } from '../platform/clock.ts';
import { RecentMap } from '../platform/collections/recent-map.ts';
import { createTokenSigner } from '../platform/jwt/tokens.ts';
import type { AccountStore } from './account-store.ts';

export interface UserSessions {
  readonly seconds: number;
  issue(userId: string): string;
  /** Whether the visitor's session was ended. */
  hasEnded(visitor: Visitor): boolean;
  end(visitor: Visitor): Promise<void>;
  /** One pass of the loop that reads the sessions ended by other processes. */
  runOnce(): Promise<'done'>;
}

export interface UserSessionsOptions {
  secret: string;
  hours: number;
  store: Pick<AccountStore, 'endSession' | 'listEndedSessions'>;
  clock: Clock;
}

/** Sessions that this process ended recently: a read that began earlier can miss them. */
const REMEMBERED = 10_000;

export function createUserSessions({ secret, hours, store, clock }: UserSessionsOptions): UserSessions {
  const sign = createTokenSigner({ secret, typ: 'JWT' });
  const seconds = hours * 3_600;
  const endedHere = new RecentMap<boolean>(REMEMBERED);
  let ended = new Set<string>();
  return {
    seconds,
    issue(userId) {
      const iat = Math.floor(clock.now() / 1000);
      return sign({ sub: userId, jti: randomBytes(9).toString('base64url'), iat, exp: iat + seconds });
    },
    hasEnded: ({ sessionId }) => sessionId !== undefined && (ended.has(sessionId) || endedHere.get(sessionId) === true),
    async end({ sessionId }) {
      if (sessionId === undefined) return;
      endedHere.set(sessionId, true);
      await store.endSession(sessionId, clock.now() + seconds * 1000);
    },
    async runOnce() {
      ended = new Set(await store.listEndedSessions());
      return 'done';
    },
  };
}
