/**
 * vwr tokens: proof that a device waited in tier 1 until its turn. A token is valid for ten minutes and is issued again
 * while its signed place is valid. Its id belongs to the place, so all tokens of one place count as one.
 */
import type { Clock } from '../../platform/clock.ts';
import type { KeyRing } from '../../signing-keys/key-ring.ts';
import type { KindKeys } from '../../signing-keys/kind-keys.ts';
import { SignedBefore } from '../../signing-keys/signed-before.ts';
import { createSignedKind } from '../../signing-keys/signed-kind.ts';
import { toVwrPass, VWR_PASS_SECONDS, VWR_TYP, type VwrPass } from './vwr-pass.ts';

export interface VwrTokens {
  /** With a key pair, an earlier token of the same place if it is valid for nearly as long. */
  issue(turn: Omit<VwrPass, 'expiresAt'>): string;
  /** The content of a valid token; undefined for any other text. */
  verify(token: string): VwrPass | undefined;
}

/** `keys`: secrets (the first one signs) or key pairs. */
export function createVwrTokens(keys: KeyRing | KindKeys, clock: Clock): VwrTokens {
  const { sign, verify, findCostlyKey } = createSignedKind({ keys, typ: VWR_TYP, read: toVwrPass, clock });
  const before = new SignedBefore();
  return {
    issue({ eventId, device, position, tokenId }) {
      const iat = Math.floor(clock.now() / 1000);
      const exp = iat + VWR_PASS_SECONDS;
      const claims = { sub: eventId, uid: device, tier: 1, pos: position, jti: tokenId, iat, exp };
      const keyId = findCostlyKey();
      if (keyId === undefined) return sign(claims);
      const name = `${tokenId} ${eventId}`;
      const known = before.find(name, { keyId, holder: device, expiresAt: exp, now: iat });
      if (known !== undefined) return known;
      const token = sign(claims);
      before.keep(name, { token, holder: device, expiresAt: exp });
      return token;
    },
    verify,
  };
}
