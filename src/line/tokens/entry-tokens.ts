/**
 * Entry tokens: the proof that a visitor was admitted to one event. The token id is that of the admission, so all tokens
 * of one admission have the same id (invariant 6).
 */
import type { Clock } from '../../platform/clock.ts';
import type { KeyRing } from '../../signing-keys/key-ring.ts';
import type { KindKeys } from '../../signing-keys/kind-keys.ts';
import { SignedBefore } from '../../signing-keys/signed-before.ts';
import { createSignedKind } from '../../signing-keys/signed-kind.ts';
import type { Standing } from '../model/standing.ts';
import { ENTRY_TYP, type Entry, toEntry } from './entry-pass.ts';

export type Admission = Extract<Standing, { state: 'admitted' | 'active' }>;

export interface EntryTokens {
  /** With a key pair, an earlier token of the same admission if it is valid for nearly as long. */
  issue(eventId: string, visitor: string, admission: Admission): string;
  /** The content of a genuine token that has not expired; undefined for anything else. */
  verify(token: string): Entry | undefined;
}

/** `keys`: secrets (the first one signs) or key pairs. */
export function createEntryTokens(keys: KeyRing | KindKeys, clock: Clock): EntryTokens {
  const { sign, verify, findCostlyKey } = createSignedKind({ keys, typ: ENTRY_TYP, read: toEntry, clock });
  const before = new SignedBefore();
  return {
    issue(eventId, visitor, { tokenId, admittedAt, expiresAt }) {
      const [iat, exp] = [Math.floor(admittedAt / 1000), Math.floor(expiresAt / 1000)];
      const claims = { sub: eventId, uid: visitor, jti: tokenId, iat, exp };
      const keyId = findCostlyKey();
      if (keyId === undefined) return sign(claims);
      const name = `${tokenId} ${eventId}`;
      const wanted = { keyId, holder: visitor, expiresAt: exp, now: clock.now() / 1000 };
      const known = before.find(name, wanted);
      if (known !== undefined) return known;
      const token = sign(claims);
      before.keep(name, { token, holder: visitor, expiresAt: exp });
      return token;
    },
    verify,
  };
}
