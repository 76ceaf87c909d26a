/**
 * What a vwr token says: its bearer's turn came in the numbering before the site. Apart from how tokens are signed, and
 * without anything of Node's, so that a gate in an edge runtime reads them too.
 */
export const VWR_COOKIE = 'urr-vwr-token';
export const VWR_TYP = 'vwr+jwt';
export const VWR_PASS_SECONDS = 600;

export interface VwrPass {
  eventId: string;
  /** The device whose turn it is: that of the signed device cookie. */
  device: string;
  /** Its number, which goes on to be its number in the line. */
  position: number;
  /** The same for every token of one place. */
  tokenId: string;
  expiresAt: number;
}

/** What genuine claims mean; undefined if they are not those of a vwr token. Times in claims are in seconds. */
export function toVwrPass(claims: Readonly<Record<string, unknown>>): VwrPass | undefined {
  const { sub, uid, tier, pos, jti, exp } = claims;
  if (typeof sub !== 'string' || typeof uid !== 'string' || typeof jti !== 'string') return undefined;
  if (tier !== 1 || typeof exp !== 'number' || !isPosition(pos)) return undefined;
  return { eventId: sub, device: uid, position: pos, tokenId: jti, expiresAt: exp * 1000 };
}

function isPosition(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}
