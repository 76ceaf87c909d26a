/**
 * What an entry token says: its bearer was let in to one event. Apart from how tokens are signed, and without anything
 * of Node's, so that a gate in an edge runtime reads them too.
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

/** What genuine claims mean; undefined if they are not those of an entry token. Times in claims are in seconds. */
export function toEntry(claims: Readonly<Record<string, unknown>>): Entry | undefined {
  const { sub, uid, jti, exp } = claims;
  if (typeof sub !== 'string' || typeof uid !== 'string' || typeof jti !== 'string') return undefined;
  return typeof exp === 'number' ? { eventId: sub, visitor: uid, tokenId: jti, expiresAt: exp * 1000 } : undefined;
}
