/**
 * The claims of an entry token: its bearer was admitted to one event. Separate from signing and free of Node modules, so
 * that a gate in an edge runtime can read them.
 */
export const ENTRY_COOKIE = 'urr-entry-token';
export const ENTRY_HEADER = 'x-queue-entry-token';
export const ENTRY_TYP = 'entry+jwt';

export interface Entry {
  eventId: string;
  visitor: string;
  tokenId: string;
  expiresAt: number;
}

/** Reads verified claims; undefined if they are not those of an entry token. Times in claims are in seconds. */
export function toEntry(claims: Readonly<Record<string, unknown>>): Entry | undefined {
  const { sub, uid, jti, exp } = claims;
  if (typeof sub !== 'string' || typeof uid !== 'string' || typeof jti !== 'string') return undefined;
  return typeof exp === 'number' ? { eventId: sub, visitor: uid, tokenId: jti, expiresAt: exp * 1000 } : undefined;
}
