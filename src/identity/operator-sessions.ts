/**
 * Sessions of operators who signed in on the admin page: a signed cookie that is valid for 30 minutes and renewed while
 * the page is open, up to 12 hours. Its key is derived from the operator token, so changing the token ends all sessions.
 */
import { randomBytes } from 'node:crypto';
import type { Clock } from '../platform/clock.ts';
import { RecentMap } from '../platform/collections/recent-map.ts';
import { readCookie } from '../platform/http-server/cookies.ts';
import { type Claims, createTokenSigner, createTokenVerifier } from '../platform/jwt/tokens.ts';
import { createOperatorKey } from '../signing-keys/key-ring.ts';

export const OPERATOR_COOKIE = 'fairline-operator';

const SESSION_TYP = 'operator+jwt';
const SESSION_SECONDS = 1_800;
const LONGEST_SECONDS = 12 * 3_600;
/** Size of the caches of ended and of verified sessions. Operators are few. */
const REMEMBERED = 1_000;

export interface OperatorSession {
  id: string;
  /** The account that started it; undefined: the operator token. */
  by?: string;
  /** In seconds since the epoch. */
  startedAt: number;
  expiresAt: number;
}

export interface SignedSession {
  session: OperatorSession;
  token: string;
}

export interface OperatorSessions {
  begin(by?: string): SignedSession;
  /** The session of a valid cookie. */
  find(cookies: string | undefined): OperatorSession | undefined;
  /** Extends the session. */
  renew(session: OperatorSession): SignedSession;
  /** Takes effect in this process. Others accept a copy of the cookie until it expires. */
  end(session: OperatorSession): void;
  /** Ends all sessions of the account, in this process. */
  endAllOf(by: string): void;
}

export function createOperatorSessions(adminToken: string, clock: Clock): OperatorSessions {
  const ended = new RecentMap<true>(REMEMBERED);
  /** When the sessions of an account were ended. */
  const endedOf = new RecentMap<number>(REMEMBERED);
  const nowSeconds = () => Math.floor(clock.now() / 1000);
  const hasEnded = ({ id, by, startedAt }: OperatorSession) =>
    ended.get(id) === true || (by !== undefined && startedAt <= (endedOf.get(by) ?? 0));
  let codec: SessionCodec | undefined;
  const getCodec = () => {
    codec ??= createSessionCodec(adminToken, clock);
    return codec;
  };
  const sign = ({ id, by, startedAt }: Omit<OperatorSession, 'expiresAt'>): SignedSession => {
    const iat = nowSeconds();
    const exp = Math.min(iat + SESSION_SECONDS, startedAt + LONGEST_SECONDS);
    const named = by === undefined ? {} : { by };
    const token = getCodec().sign({ sub: id, iat, exp, startedAt, ...named });
    return { session: { id, startedAt, expiresAt: exp, ...named }, token };
  };
  return {
    begin: (by) =>
      sign({ id: randomBytes(12).toString('base64url'), startedAt: nowSeconds(), ...(by === undefined ? {} : { by }) }),
    find(cookies) {
      const token = readCookie(cookies, OPERATOR_COOKIE);
      const session = token === undefined ? undefined : getCodec().verify(token);
      return session === undefined || hasEnded(session) ? undefined : session;
    },
    renew: sign,
    end: ({ id }) => ended.set(id, true),
    endAllOf: (by) => endedOf.set(by, nowSeconds()),
  };
}

type SessionCodec = ReturnType<typeof createSessionCodec>;

/** Created on first use: deriving the key is slow. */
function createSessionCodec(adminToken: string, clock: Clock) {
  const secret = createOperatorKey(adminToken);
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
