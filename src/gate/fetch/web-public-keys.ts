/**
 * The public keys of a gate in an edge runtime: a fixed set, or one that is read again and again from a URL. While the URL
 * is away, the last keys stay. Verified tokens are remembered, because a signature of a key pair is costly to verify.
 */
import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose';
import { RecentMap } from '../../platform/collections/recent-map.ts';
import { isTokenForm } from '../../platform/jwt/token-form.ts';
import { KEYS_APART_MS, KEYS_FRESH_MS } from '../lookups/line-keys.ts';
import { type Genuine, hasRightTimes, isInTime, TOLERANCE_SECONDS } from './web-texts.ts';

/** A JWKS (RFC 7517). */
export interface PublicKeyDocument {
  keys: readonly object[];
}

export interface WebPublicKeysOptions {
  jwks: string | PublicKeyDocument;
  issuer: string;
  audience: string;
  send: typeof fetch;
}

const ALGORITHMS = ['EdDSA', 'ES256'];
const CURVES = ['Ed25519', 'P-256'];
const LONGEST_WAIT_MS = 2_000;
const LONGEST_TEXT = 256 * 1024;
const MOST_KEYS = 100;
/** Older keys are waited for; younger ones are renewed in the background. */
const STALE_MS = 2 * KEYS_FRESH_MS;
const REMEMBERED = 10_000;

interface Keys {
  text: string;
  ids: ReadonlySet<string>;
  find: ReturnType<typeof createLocalJWKSet>;
  verified: RecentMap<Genuine>;
}

export class WebPublicKeys {
  readonly #options: WebPublicKeysOptions;
  readonly #url: string | undefined;
  #keys = toKeys({ keys: [] });
  #fetchedAt = Number.NEGATIVE_INFINITY;
  #triedAt = Number.NEGATIVE_INFINITY;
  #hasFailed = false;
  #fetching: Promise<void> | undefined;

  constructor(options: WebPublicKeysOptions) {
    const { jwks } = options;
    this.#options = options;
    if (typeof jwks === 'string') this.#url = new URL(jwks).href;
    else this.#keys = toKeys(jwks);
  }

  async verify(token: string, typ: string, now: number): Promise<Genuine | undefined> {
    const keyId = isTokenForm(token) ? keyIdOf(token, typ) : undefined;
    if (keyId === undefined) return undefined;
    const refreshing = this.#refresh(now);
    if (refreshing !== undefined) await refreshing;
    if (!this.#keys.ids.has(keyId)) await this.#findMissing(now);
    const { verified } = this.#keys;
    const name = `${typ} ${token}`;
    const known = verified.get(name);
    if (known !== undefined) return isInTime(known, now) ? known : undefined;
    const claims = await this.#verify(token, now);
    if (claims !== undefined) verified.set(name, claims);
    return claims;
  }

  async #verify(token: string, now: number): Promise<Genuine | undefined> {
    const { issuer, audience } = this.#options;
    try {
      const { payload } = await jwtVerify(token, this.#keys.find, {
        ...{ issuer, audience, algorithms: ALGORITHMS },
        requiredClaims: ['exp', 'sub'],
        clockTolerance: TOLERANCE_SECONDS,
        currentDate: new Date(now),
      });
      return typeof payload.sub === 'string' && hasRightTimes(payload) ? (payload as Genuine) : undefined;
    } catch {
      // Signed by another key, or invalid.
      return undefined;
    }
  }

  /** A promise to await before verifying; undefined if the keys are fresh enough. */
  #refresh(now: number): Promise<void> | undefined {
    if (this.#url === undefined || now - this.#fetchedAt < KEYS_FRESH_MS) return undefined;
    if (now - this.#triedAt >= KEYS_APART_MS) this.#fetching ??= this.#fetch(this.#url, now);
    return now - this.#fetchedAt < STALE_MS || this.#hasFailed ? undefined : this.#fetching;
  }

  async #findMissing(now: number): Promise<void> {
    if (this.#url === undefined) return;
    if (now - this.#triedAt >= KEYS_APART_MS) this.#fetching ??= this.#fetch(this.#url, now);
    await this.#fetching;
  }

  /** Never rejects. */
  async #fetch(url: string, now: number): Promise<void> {
    this.#triedAt = now;
    try {
      const signal = AbortSignal.timeout(LONGEST_WAIT_MS);
      // Without redirects: someone who can redirect could present keys of their own.
      const response = await this.#options.send(url, { redirect: 'manual', signal });
      const text = await response.text();
      if (response.status !== 200 || text.length > LONGEST_TEXT) throw new Error(`${url} has no keys`);
      const keys = toKeys(JSON.parse(text) as PublicKeyDocument);
      // The same keys again are no change: what is remembered stays.
      if (keys.text !== this.#keys.text) this.#keys = keys;
      this.#fetchedAt = now;
      this.#hasFailed = false;
    } catch {
      this.#hasFailed = true;
    } finally {
      this.#fetching = undefined;
    }
  }
}

/** undefined: not a token of this kind that a key pair signed. */
function keyIdOf(token: string, typ: string): string | undefined {
  try {
    const { alg, kid, typ: named } = decodeProtectedHeader(token);
    return named === typ && ALGORITHMS.includes(String(alg)) && typeof kid === 'string' ? kid : undefined;
  } catch {
    return undefined;
  }
}

/** Only the public members of the kinds that sign tokens. */
function toKeys({ keys }: PublicKeyDocument): Keys {
  const list = keys.slice(0, MOST_KEYS).flatMap((key) => {
    const { kty, crv, x, y, kid, alg, use } = key as Record<string, unknown>;
    if (typeof kid !== 'string' || !CURVES.includes(String(crv)) || (use !== undefined && use !== 'sig')) return [];
    return [{ kty, crv, x, ...(y === undefined ? {} : { y }), kid, ...(alg === undefined ? {} : { alg }) }];
  });
  return {
    text: JSON.stringify(list),
    ids: new Set(list.map(({ kid }) => kid)),
    find: createLocalJWKSet({ keys: list } as JSONWebKeySet),
    verified: new RecentMap(REMEMBERED),
  };
}
