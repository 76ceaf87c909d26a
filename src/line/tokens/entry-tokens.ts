/**
 * Entry tokens: the proof that a visitor waited and was let in to one event. The id in a token belongs to the
 * admission, so every token for one admission has the same id, whoever asks, however often, until it ends.
 */
import type { Clock } from '../../platform/clock.ts';
import { createTokenSigner, createTokenVerifier } from '../../platform/jwt/tokens.ts';
import type { Standing } from '../model/standing.ts';
import { ENTRY_TYP, type Entry, toEntry } from './entry-pass.ts';

export type Admission = Extract<Standing, { state: 'admitted' | 'active' }>;

export interface EntryTokens {
  issue(eventId: string, visitor: string, admission: Admission): string;
  /** What a genuine token that has not expired says; undefined for anything else. */
  verify(token: string): Entry | undefined;
}

/** `secrets`: the one to sign with, then those that are still good. */
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
