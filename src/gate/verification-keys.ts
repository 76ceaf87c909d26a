/** The secrets of a gate that runs on Node. */
import type { Identity } from '../identity/identity.ts';
import type { EntryTokens } from '../line/tokens/entry-tokens.ts';
import { isSameSecret } from '../platform/jwt/tokens.ts';
import type { VwrTokens } from '../tier1/tokens/vwr-tokens.ts';
import type { Keys } from './decide.ts';
import type { Headers } from './judge-entry.ts';

export interface KeysOptions {
  entryTokens: Pick<EntryTokens, 'verify'>;
  vwrTokens: Pick<VwrTokens, 'verify'>;
  identity: Identity;
  /** The device of a request's signed cookie. */
  device: (headers: Headers) => string | undefined;
  /** What our CDN proves itself with; undefined believes no CDN. */
  cdnSecret: string | undefined;
}

export function createKeys({ entryTokens, vwrTokens, identity, device, cdnSecret }: KeysOptions): Keys {
  return {
    entry: (token) => entryTokens.verify(token),
    vwr: (token) => vwrTokens.verify(token),
    caller(headers) {
      const caller = identity.identify(headers);
      return caller.outcome === 'known' ? caller.visitor.id : undefined;
    },
    device,
    isVerifiedByCdn: (proof) => cdnSecret !== undefined && isSameSecret(proof, cdnSecret),
  };
}
