/** Where a line publishes the public keys of its tokens. Uses no Node APIs. */
export const JWKS_PATH = '/.well-known/jwks.json';
/** Verifiers of ours read the keys again after this time. */
export const KEYS_FRESH_MS = 3_000;
/** An unknown key id causes at most one more read per this time. */
export const KEYS_APART_MS = 1_000;
