/**
 * vwr tokens: proof that a device waited in tier 1 until its turn. A token is valid for ten minutes and is issued again
 * while its signed place is valid. Its id belongs to the place, so all tokens of one place count as one.
 */
import type { Clock } from '../../platform/clock.ts';
import { createTokenSigner, createTokenVerifier } from '../../platform/jwt/tokens.ts';
import { toVwrPass, VWR_PASS_SECONDS, VWR_TYP, type VwrPass } from './vwr-pass.ts';

export interface VwrTokens {
  issue(turn: Omit<VwrPass, 'expiresAt'>): string;
  /** The content of a valid token; undefined for any other text. */
  verify(token: string): VwrPass | undefined;
}

/** `secrets`: the signing secret, then older ones that are still accepted. */
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
