/** The verification keys of a gate on Node. */
import type { Identity } from '../../identity/identity.ts';
import type { EntryTokens } from '../../line/tokens/entry-tokens.ts';
import { toDigest } from '../../platform/crypto/digest.ts';
import { isSameSecret } from '../../platform/jwt/tokens.ts';
import type { VwrTokens } from '../../tier1/tokens/vwr-tokens.ts';
import type { Headers, VerificationKeys } from '../decision/gate-request.ts';
import type { StaffPass } from '../decision/staff-pass.ts';

export interface VerificationKeysOptions {
  entryTokens: Pick<EntryTokens, 'verify'>;
  vwrTokens: Pick<VwrTokens, 'verify'>;
  identity: Identity;
  /** Reads the device id from the signed cookie. */
  device: (headers: Headers) => string | undefined;
  /** The secret our CDN sends in X-CloudFront-Verified; undefined trusts no CDN. */
  cdnSecret: string | undefined;
  /** Whether keys of users are waited for here. An instance does that before its handlers run. */
  waitsForKeys?: boolean;
  /** undefined: no staff pass is accepted. */
  staffPasses?: { verify(token: string): StaffPass | undefined } | undefined;
}

export function createVerificationKeys({
  entryTokens,
  vwrTokens,
  identity,
  device,
  cdnSecret,
  staffPasses,
  waitsForKeys = false,
}: VerificationKeysOptions): VerificationKeys {
  return {
    entry: (token) => entryTokens.verify(token),
    vwr: (token) => vwrTokens.verify(token),
    caller(headers) {
      const caller = identity.identify(headers);
      return caller.outcome === 'known' ? caller.visitor.id : undefined;
    },
    device,
    // While the keys cannot be read, the visitor is unknown here, and the rules decide.
    prepare: (headers) => (waitsForKeys ? identity.prepare?.(headers)?.catch(() => {}) : undefined),
    isVerifiedByCdn: (proof) => cdnSecret !== undefined && isSameSecret(proof, cdnSecret),
    staffPass: (token) => staffPasses?.verify(token),
    digest: toDigest,
  };
}
