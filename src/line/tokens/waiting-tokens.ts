/**
 * Waiting tokens: a signed place, which identifies a visitor at the claim door. A token names one place and no later one
 * of the same visitor. Issued again for the same place, it is the same text.
 */
import type { Clock } from '../../platform/clock.ts';
import { type Claims, createTokenSigner, createTokenVerifier } from '../../platform/jwt/tokens.ts';

const WAITING_TYP = 'waiting+jwt';
/** Longer than any place lasts: the line ends a place, not its token. */
const LIFE_SECONDS = 365 * 86_400;

export interface SignedPlace {
  eventId: string;
  visitor: string;
  placeId: string;
}

export interface WaitingTokens {
  issue(eventId: string, visitor: string, place: { placeId: string; joinedAt: number }): string;
  /** The place that a genuine token names, whether or not it still exists; undefined for anything else. */
  verify(token: string): SignedPlace | undefined;
}

/** `keys`: the one to sign with, then older ones that still verify. */
export function createWaitingTokens(keys: readonly [string, ...string[]], clock: Clock): WaitingTokens {
  const sign = createTokenSigner({ secret: keys[0], typ: WAITING_TYP });
  const verify = createTokenVerifier({ secrets: keys, typ: WAITING_TYP, read: toPlace, clock });
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
