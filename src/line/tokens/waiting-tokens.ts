/**
 * Waiting tokens: a signed place, by which the claim door knows a visitor again. A token speaks for one place and no
 * later one of the same visitor; made again for the same place it is the very same text.
 */
import type { Clock } from '../../platform/clock.ts';
import { type Claims, createTokenSigner, createTokenVerifier } from '../../platform/jwt/tokens.ts';

const WAITING_TYP = 'waiting+jwt';
/** Longer than any place lasts: what ends a place is the line, not its token. */
const LIFE_SECONDS = 365 * 86_400;

export interface SignedPlace {
  eventId: string;
  visitor: string;
  placeId: string;
}

export interface WaitingTokens {
  issue(eventId: string, visitor: string, place: { placeId: string; joinedAt: number }): string;
  /** The place that a genuine token speaks of, whether or not it is still there; undefined for anything else. */
  verify(token: string): SignedPlace | undefined;
}

/** `secrets`: the one to sign with, then those that are still good. */
export function createWaitingTokens(secrets: readonly [string, ...string[]], clock: Clock): WaitingTokens {
  const sign = createTokenSigner({ secret: secrets[0], typ: WAITING_TYP });
  const verify = createTokenVerifier({ secrets, typ: WAITING_TYP, read: toPlace, clock });
  return {
    issue(eventId, visitor, { placeId, joinedAt }) {
      const iat = Math.floor(joinedAt / 1000);
      return sign({ sub: eventId, uid: visitor, jti: placeId, iat, exp: iat + LIFE_SECONDS });
    },
    verify,
  };
}

function toPlace({ sub, uid, jti }: Claims): SignedPlace | undefined {
  if (typeof uid !== 'string' || typeof jti !== 'string') return undefined;
  return { eventId: sub, visitor: uid, placeId: jti };
}
