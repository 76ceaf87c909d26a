/**
 * The content of a vwr token: proof that a device's turn came in tier 1. Separate from signing and free of Node APIs,
 * because a gate in an edge runtime reads it too.
 */
import type { IdentityCookie } from '../../platform/http-server/cookies.ts';

/** Identifies the device to which vwr tokens are issued. */
export const DEVICE_COOKIE: IdentityCookie = { name: 'fairline-device' };
export const DEVICE_TYP = 'device+jwt';
export const VWR_COOKIE = 'urr-vwr-token';
export const VWR_TYP = 'vwr+jwt';
export const VWR_PASS_SECONDS = 600;

export interface VwrPass {
  eventId: string;
  /** The device of the signed device cookie. */
  device: string;
  /** The number of the device, which becomes its number in the line. */
  position: number;
  /** The same for every token of one signed place. */
  tokenId: string;
  expiresAt: number;
}

/** Reads verified claims; undefined if they are not those of a vwr token. Times in claims are in seconds. */
export function toVwrPass(claims: Readonly<Record<string, unknown>>): VwrPass | undefined {
  const { sub, uid, tier, pos, jti, exp } = claims;
  if (typeof sub !== 'string' || typeof uid !== 'string' || typeof jti !== 'string') return undefined;
  if (tier !== 1 || typeof exp !== 'number' || !isPosition(pos)) return undefined;
  return { eventId: sub, device: uid, position: pos, tokenId: jti, expiresAt: exp * 1000 };
}

function isPosition(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}
