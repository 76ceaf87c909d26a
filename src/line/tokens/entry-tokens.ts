/**
 * Entry tokens: the proof that a visitor was admitted to one event. The token id is that of the admission, so all tokens
 * of one admission have the same id (invariant 6).
 */
import type { Clock } from '../../platform/clock.ts';
import { createTokenSigner, createTokenVerifier } from '../../platform/jwt/tokens.ts';
import type { Standing } from '../model/standing.ts';
import { ENTRY_TYP, type Entry, toEntry } from './entry-pass.ts';

export type Admission = Extract<Standing, { state: 'admitted' | 'active' }>;

export interface EntryTokens {
  issue(eventId: string, visitor: string, admission: Admission): string;
  /** The content of a genuine token that has not expired; undefined for anything else. */
  verify(token: string): Entry | undefined;
}

/** `secrets`: the one to sign with, then older ones that still verify. */
export function createEntryTokens(secrets: readonly [string, ...string[]], clock: Clock): EntryTokens {
  const sign = createTokenSigner({ secret: secrets[0], typ: ENTRY_TYP });
  const verify = createTokenVerifier({ secrets, typ: ENTRY_TYP, read: toEntry, clock });
  return {
    issue(eventId, visitor, { tokenId, admittedAt, expiresAt }) {
      const [iat, exp] = [Math.floor(admittedAt / 1000), Math.floor(expiresAt / 1000)];
      return sign({ sub: eventId, uid: visitor, jti: tokenId, iat, exp });
    },
    verify,
  };
}
