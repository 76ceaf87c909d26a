/** What all vectors share: keys, visitors, claims, and how a vector is written. */
import { createHmac } from 'node:crypto';
import { createEdKey, createEsKey, createSecretKey, encode, sha256, toToken } from './sign.mjs';

export const NOW = 1_800_000_060;
export const ISSUED = 1_800_000_000;
export const EXPIRES = 1_800_000_600;
export const ISSUER = 'fairline';
export const AUDIENCE = 'fairline';

export const secrets = {
  entry: 'vectors-entry-secret-0123456789abcdef',
  entryPrevious: 'vectors-entry-secret-of-before-01234567',
  vwr: 'vectors-vwr-secret-0123456789abcdef',
  vwrPrevious: 'vectors-vwr-secret-of-before-0123456789',
};

export const keys = {
  ed: createEdKey('ed-1'),
  edNext: createEdKey('ed-2'),
  edRetired: createEdKey('ed-0'),
  es: createEsKey('es-1'),
  entry: createSecretKey(secrets.entry),
  entryPrevious: createSecretKey(secrets.entryPrevious),
  vwr: createSecretKey(secrets.vwr),
  vwrPrevious: createSecretKey(secrets.vwrPrevious),
  foreignEd: createEdKey('foreign'),
  foreignEs: createEsKey('foreign'),
  foreignSecret: createSecretKey('a-secret-of-somebody-else-0123456789'),
};

/** A guest or a device: the id is the hash of a secret that only the cookie of that browser holds. */
function createBrowser(label, name) {
  const key = sha256(`fairline vectors ${label} ${name}`).subarray(0, 16).toString('base64url');
  const hash = sha256(`fairline ${label} ${key}`).toString('base64url').slice(0, 16);
  const id = label === 'guest' ? `guest:${hash}` : hash;
  return { id, key, cookie: toCookie(label, { sub: id, key }) };
}

const cookieSecrets = {
  guest: createHmac('sha256', 'vectors-guest-secret-0123456789abcdef').update('fairline guest cookie'),
  device: createHmac('sha256', secrets.vwr).update('fairline device cookie'),
};
const cookieKeys = {
  guest: createSecretKey(cookieSecrets.guest.digest('base64url')),
  device: createSecretKey(cookieSecrets.device.digest('base64url')),
};

/** The cookie as the line signs it. A verifier elsewhere cannot check that signature and does not need to. */
export function toCookie(label, claims) {
  const key = cookieKeys[label];
  const times = { iat: ISSUED - 3600, exp: ISSUED + 30 * 86_400 };
  return toToken({ alg: 'HS256', typ: `${label}+jwt`, kid: key.kid }, { ...claims, ...times }, key);
}

export const guest = createBrowser('guest', 'mina');
export const otherGuest = createBrowser('guest', 'jun');
export const device = createBrowser('device', 'phone');
export const otherDevice = createBrowser('device', 'tablet');

/** JWKs that a verifier must skip without giving up on the rest of the set. */
export const uselessKeys = [
  { ...createEdKey('ed-says-es').jwk, alg: 'ES256' },
  { ...createEsKey('es-says-ed').jwk, alg: 'EdDSA' },
  { ...createEdKey('ed-for-encryption').jwk, use: 'enc' },
  { kty: 'oct', k: encode('a-secret-in-public-0123456789abcdef'), kid: 'oct-1', alg: 'HS256', use: 'sig' },
  { ...createEdKey('ed-too-short').jwk, x: encode(sha256('short').subarray(0, 31)) },
  { ...createEsKey('es-off-the-curve').jwk, y: encode(sha256('nowhere')) },
  { kty: 'OKP', crv: 'X25519', x: createEdKey('x').jwk.x, kid: 'x25519-1', use: 'sig' },
];

export const jwks = { keys: [...uselessKeys, keys.ed.jwk, keys.es.jwk, keys.edNext.jwk] };

export const headerOf = (key, more = {}, kind = 'entry') => ({
  alg: key.alg,
  typ: `${kind}+jwt`,
  kid: key.kid,
  ...more,
});

/** `undefined` in `more` removes a claim. With a secret, the line sets neither issuer nor audience by default. */
export function entryClaims(key, more = {}) {
  const parties = key.alg === 'HS256' ? {} : { iss: ISSUER, aud: AUDIENCE };
  return { sub: 'concert', uid: guest.id, jti: 'k3v1x.7', iat: ISSUED, exp: EXPIRES, ...parties, ...more };
}

export const vwrClaims = (key, more = {}) => entryClaims(key, { uid: device.id, tier: 1, pos: 7, ...more });

export const entryToken = (key, claims = {}, header = {}) =>
  toToken(headerOf(key, header), entryClaims(key, claims), key);

export const vwrToken = (key, claims = {}, header = {}) =>
  toToken(headerOf(key, header, 'vwr'), vwrClaims(key, claims), key);

/** `given`: what differs from a guest who sends an entry token for `concert` in the cookie. */
export function toVector(name, why, given, expect) {
  const { kind = 'entry', event = 'concert', now = NOW, token, user, header, cookies } = given;
  const own = kind === 'entry' ? `fairline-guest=${guest.cookie}` : `fairline-device=${device.cookie}`;
  const named = token === undefined ? [] : [`${kind === 'entry' ? 'urr-entry-token' : 'urr-vwr-token'}=${token}`];
  const cookie = [...named, ...(cookies ?? (user === undefined ? [own] : []))].join('; ');
  return {
    name,
    why,
    kind,
    now,
    event,
    ...(user === undefined ? {} : { user }),
    ...(cookie === '' ? {} : { cookie }),
    ...(header === undefined ? {} : { header }),
    expect,
  };
}

export function good(name, why, given, expected = {}) {
  const isEntry = (given.kind ?? 'entry') === 'entry';
  const visitor = isEntry ? guest.id : device.id;
  const found = { event: 'concert', visitor, tokenId: 'k3v1x.7', expiresAt: EXPIRES, ...expected };
  return toVector(name, why, given, { outcome: 'good', ...found });
}

/** `reason`: the first of the checks, in the order of clients/README.md, that must fail. */
export function bad(name, reason, why, given) {
  const kind = given.kind ?? 'entry';
  const missing = kind === 'entry' ? 'ENTRY_TOKEN_REQUIRED' : 'VWR_REQUIRED';
  const invalid = kind === 'entry' ? 'ENTRY_TOKEN_INVALID' : 'VWR_TOKEN_INVALID';
  return toVector(name, why, given, { outcome: 'refused', reason, code: reason === 'missing' ? missing : invalid });
}
