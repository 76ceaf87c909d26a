/**
 * Sessions of operators who signed in on a page: a signed cookie that is good for half an hour, and made anew while the
 * page is open, for twelve hours at most. Its key is made from the operators' token, so that a new token ends them all.
 */
import { randomBytes, scryptSync } from 'node:crypto';
import type { Clock } from '../platform/clock.ts';
import { RecentMap } from '../platform/collections/recent-map.ts';
import { readCookie } from '../platform/http-server/cookies.ts';
import { type Claims, createTokenSigner, createTokenVerifier } from '../platform/jwt/tokens.ts';

export const OPERATOR_COOKIE = 'fairline-operator';

const SESSION_TYP = 'operator+jwt';
const SESSION_SECONDS = 1_800;
const LONGEST_SECONDS = 12 * 3_600;
/** How many ended sessions are remembered, and how many good ones: operators are few. */
const REMEMBERED = 1_000;

export interface OperatorSession {
  id: string;
  /** The account that it was begun by; undefined: by the operators' token. */
  by?: string;
  /** When its operator signed in, and when it ends, in seconds since the epoch. */
  startedAt: number;
  expiresAt: number;
}

export interface SignedSession {
  session: OperatorSession;
  token: string;
}

export interface OperatorSessions {
  begin(by?: string): SignedSession;
  /** The session whose cookie a request carries, if it is good. */
  find(cookies: string | undefined): OperatorSession | undefined;
  /** The same session, good for longer. */
  renew(session: OperatorSession): SignedSession;
  /** In this process at once; another one would go on to accept a copy of the cookie until it expires. */
  end(session: OperatorSession): void;
  /** All that this account has begun, in this process at once. */
  endAllOf(by: string): void;
}

export function createOperatorSessions(adminToken: string, clock: Clock): OperatorSessions {
  const ended = new RecentMap<true>(REMEMBERED);
  /** Accounts whose sessions were ended, and when. */
  const endedOf = new RecentMap<number>(REMEMBERED);
  const nowSeconds = () => Math.floor(clock.now() / 1000);
  const hasEnded = ({ id, by, startedAt }: OperatorSession) =>
    ended.get(id) === true || (by !== undefined && startedAt <= (endedOf.get(by) ?? 0));
  let keys: Keys | undefined;
  const keysOf = () => {
    keys ??= createKeys(adminToken, clock);
    return keys;
  };
  const sign = ({ id, by, startedAt }: Omit<OperatorSession, 'expiresAt'>): SignedSession => {
    const iat = nowSeconds();
    const exp = Math.min(iat + SESSION_SECONDS, startedAt + LONGEST_SECONDS);
    const named = by === undefined ? {} : { by };
    const token = keysOf().sign({ sub: id, iat, exp, startedAt, ...named });
    return { session: { id, startedAt, expiresAt: exp, ...named }, token };
  };
  return {
    begin: (by) =>
      sign({ id: randomBytes(12).toString('base64url'), startedAt: nowSeconds(), ...(by === undefined ? {} : { by }) }),
    find(cookies) {
      const token = readCookie(cookies, OPERATOR_COOKIE);
      const session = token === undefined ? undefined : keysOf().verify(token);
      return session === undefined || hasEnded(session) ? undefined : session;
    },
    renew: sign,
    end: ({ id }) => ended.set(id, true),
    endAllOf: (by) => endedOf.set(by, nowSeconds()),
  };
}

type Keys = ReturnType<typeof createKeys>;

/** Made slowly, so that nobody guesses the operators' token from a cookie; and only where somebody uses one. */
function createKeys(adminToken: string, clock: Clock) {
  const secret = scryptSync(adminToken, 'fairline operator session', 32).toString('base64url');
  return {
    sign: createTokenSigner({ secret, typ: SESSION_TYP }),
    verify: createTokenVerifier({
      secrets: [secret],
      typ: SESSION_TYP,
      read: toSession,
      clock,
      remembered: REMEMBERED,
    }),
  };
}

function toSession({ sub, startedAt, exp, by }: Claims): OperatorSession | undefined {
  if (typeof startedAt !== 'number') return undefined;
  return { id: sub, startedAt, expiresAt: exp, ...(typeof by === 'string' ? { by } : {}) };
}
