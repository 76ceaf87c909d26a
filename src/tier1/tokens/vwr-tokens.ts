/**
 * vwr tokens: the proof that a device waited before the site until its number came up. A token lasts ten minutes and is
 * made anew for as long as its place is good; its id belongs to the place, so that all of them count as one.
 */
import type { Clock } from '../../platform/clock.ts';
import { createTokenSigner, createTokenVerifier } from '../../platform/jwt/tokens.ts';
import { toVwrPass, VWR_PASS_SECONDS, VWR_TYP, type VwrPass } from './vwr-pass.ts';

export interface VwrTokens {
  issue(turn: Omit<VwrPass, 'expiresAt'>): string;
  /** What a genuine token that has not expired says; undefined for anything else. */
  verify(token: string): VwrPass | undefined;
}

/** `secrets`: the one to sign with, then those that are still good. */
export function createVwrTokens(secrets: readonly [string, ...string[]], clock: Clock): VwrTokens {
  const sign = createTokenSigner({ secret: secrets[0], typ: VWR_TYP });
  const verify = createTokenVerifier({ secrets, typ: VWR_TYP, read: toVwrPass, clock });
  return {
    issue({ eventId, device, position, tokenId }) {
      const iat = Math.floor(clock.now() / 1000);
      return sign({
        sub: eventId,
        uid: device,
        tier: 1,
        pos: position,
        jti: tokenId,
        iat,
        exp: iat + VWR_PASS_SECONDS,
      });
    },
    verify,
  };
}
