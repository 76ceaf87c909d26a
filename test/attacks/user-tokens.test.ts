/** Tokens that must not make anybody a user: every way in which a token of the identity provider can be wrong. */
import { createHmac, generateKeyPairSync, type JsonWebKey, type KeyObject, sign as signBytes } from 'node:crypto';
import { exportSPKI, SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { createWebUserTokens } from '../../src/gate/fetch/web-user-tokens.ts';
import { createWebVerificationKeys } from '../../src/gate/fetch/web-verification-keys.ts';
import { createIssuerKeys } from '../../src/identity/issuer/issuer-keys.ts';
import { createUserTokens, type UserTokenRules } from '../../src/identity/issuer/user-tokens.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { toKeys } from '../../src/platform/jwt/key-source.ts';
import { createTokenSigner } from '../../src/platform/jwt/tokens.ts';
import { keyIdOf } from '../../src/platform/jwt/verifying-key.ts';

const ISSUER = 'https://id.example';
const SECRET = 'auth-secret-of-the-tests-0123456789abcdef';
const pairs = {
  rsa: generateKeyPairSync('rsa', { modulusLength: 2048 }),
  ec: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  ed: generateKeyPairSync('ed25519'),
};
const small = generateKeyPairSync('rsa', { modulusLength: 1024 });
const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 });

const jwkOf = (key: KeyObject, kid: string, more: object = {}) =>
  ({ ...key.export({ format: 'jwk' }), kid, ...more }) as JsonWebKey;

/** As a provider would never publish it, beside its real keys. */
const strangeKeys = [
  { kty: 'oct', k: Buffer.from(SECRET).toString('base64url'), kid: 'symmetric', alg: 'HS256' },
  jwkOf(pairs.rsa.publicKey, 'for-encryption', { use: 'enc' }),
  jwkOf(small.publicKey, 'small'),
  jwkOf(stranger.privateKey, 'private', { alg: 'RS512' }),
];
const keySet = {
  keys: [
    jwkOf(pairs.rsa.publicKey, 'rsa', { alg: 'RS256', use: 'sig' }),
    jwkOf(pairs.ec.publicKey, 'ec'),
    // With its private half: only the public one is used.
    jwkOf(pairs.ed.privateKey, 'ed'),
    ...strangeKeys,
  ],
};

const rules: UserTokenRules = {
  issuer: ISSUER,
  audiences: ['https://shop.example', 'tickets'],
  userClaim: 'sub',
  requiredClaims: [{ name: 'type', value: 'access' }],
  algorithms: ['RS256', 'ES256', 'EdDSA', 'HS256'],
  toleranceSeconds: 5,
};

type Changes = Partial<Pick<UserTokenRules, 'algorithms'>>;

async function createTokens(changes: Changes = {}) {
  let reads = 0;
  const source = async () => {
    reads += 1;
    return toKeys(JSON.stringify(keySet), 'the test');
  };
  const issuerKeys = createIssuerKeys({ source, refreshMs: 60_000, now: () => performance.now() });
  await issuerKeys.require();
  const options = { secrets: [SECRET], rules: { ...rules, ...changes }, issuerKeys, clock: systemClock };
  return { ...createUserTokens(options), reads: () => reads };
}

type Verify = (token: string) => Promise<string | undefined>;

/** The user of a token, as an instance and `fairline gate` see it. */
async function verifyInNode(changes: Changes = {}): Promise<Verify> {
  const { verify } = await createTokens(changes);
  return async (token) => verify(token)?.id;
}

/** As the gate in an edge runtime sees it. */
async function verifyInEdgeRuntime(changes: Changes = {}): Promise<Verify> {
  const verifyUser = createWebUserTokens({
    users: {
      issuer: ISSUER,
      audience: rules.audiences,
      requiredClaims: { type: 'access' },
      ...changes,
    },
    secrets: [SECRET],
    fetch: async (url) =>
      Response.json(url === `${ISSUER}/keys` ? keySet : { issuer: ISSUER, jwks_uri: `${ISSUER}/keys` }),
    now: Date.now,
  });
  const guest = 'guest-secret-of-the-tests-0123456789abcdef';
  const secrets = {
    ...{ entry: [], vwr: [], auth: [SECRET], guest: [guest], guestsWelcome: true, cdn: undefined },
    sessionCookie: { name: 'session' },
  };
  const read = createWebVerificationKeys({ secrets, publicKeys: undefined, verifyUser });
  return async (token) => {
    const headers = { authorization: `Bearer ${token}` };
    return (await read({ method: 'GET', target: '/', headers }, Date.now())).caller(headers);
  };
}

const now = () => Math.floor(Date.now() / 1000);
const claims = (changes: object = {}) => ({
  ...{ iss: ISSUER, aud: 'tickets', sub: 'mina', type: 'access', iat: now(), exp: now() + 600 },
  ...changes,
});
const sign = (payload: object, header: object = {}, key: KeyObject | Uint8Array = pairs.rsa.privateKey) =>
  new SignJWT(payload as Record<string, unknown>)
    .setProtectedHeader({ alg: 'RS256', kid: 'rsa', typ: 'JWT', ...header } as never)
    .sign(key as never);
/** For what jose refuses to sign. */
const forge = (header: object, payload: object, key: string | Buffer = '') => {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${encode(header)}.${encode(payload)}`;
  return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`;
};

describe.each([
  ['Node', verifyInNode],
  ['an edge runtime', verifyInEdgeRuntime],
])('a token of the identity provider in %s', (_runtime, createVerify) => {
  const goodOnes: [string, () => Promise<string> | string][] = [
    ['RS256', () => sign(claims())],
    ['ES256', () => sign(claims(), { alg: 'ES256', kid: 'ec' }, pairs.ec.privateKey)],
    ['EdDSA', () => sign(claims(), { alg: 'EdDSA', kid: 'ed' }, pairs.ed.privateKey)],
    ['an access token (RFC 9068)', () => sign(claims(), { typ: 'at+jwt' })],
    ['one without a key id', () => sign(claims(), { kid: undefined })],
    ['several audiences', () => sign(claims({ aud: ['other', 'https://shop.example'] }))],
    ['a clock that is 4 s ahead', () => sign(claims({ nbf: now() + 4, iat: now() + 4 }))],
    ['8 KB of claims', () => sign(claims({ roles: 'x'.repeat(5_500) }))],
    ['HS256 of the site', () => forge({ alg: 'HS256' }, claims(), SECRET)],
    ['a session of an account here', () => ownSession()],
  ];
  it.each(goodOnes)('is accepted: %s', async (_name, create) => {
    const verify = await createVerify();
    expect(await verify(await create())).toBe('mina');
  });

  const ownSession = () =>
    createTokenSigner({ secret: SECRET, typ: 'JWT' })({ sub: 'mina', iat: now(), exp: now() + 60 });

  const publicPem = () => exportSPKI(pairs.rsa.publicKey as never);
  const badOnes: [string, () => Promise<string> | string][] = [
    ['no signature', () => `${forge({ alg: 'none' }, claims()).split('.').slice(0, 2).join('.')}.`],
    ['alg none with a signature', () => forge({ alg: 'none', kid: 'rsa' }, claims())],
    [
      'HS256 with the public key as the secret',
      async () => forge({ alg: 'HS256', kid: 'rsa' }, claims(), await publicPem()),
    ],
    ['HS256 with the modulus as the secret', () => forge({ alg: 'HS256' }, claims(), String(keySet.keys[0]!.n))],
    ['RS256 in name, HMAC in fact', async () => forge({ alg: 'RS256', kid: 'rsa' }, claims(), await publicPem())],
    ['HS256 with the empty secret', () => forge({ alg: 'HS256' }, claims(), '')],
    ['the key of a stranger', () => sign(claims(), {}, stranger.privateKey)],
    [
      'the key of a stranger in the header',
      () => sign(claims(), { jwk: jwkOf(stranger.publicKey, 'rsa') }, stranger.privateKey),
    ],
    [
      'a URL of keys in the header',
      () => sign(claims(), { jku: 'https://evil.example/keys', x5u: 'https://evil.example/c' }, stranger.privateKey),
    ],
    ['a path as key id', () => sign(claims(), { kid: '../../dev/null' }, stranger.privateKey)],
    ['SQL as key id', () => forge({ alg: 'HS256', kid: "x' union select 'k" }, claims(), 'k')],
    ['a list as key id', () => forge({ alg: 'RS256', kid: ['rsa'] }, claims(), 'k')],
    ['an object as key id', () => forge({ alg: 'RS256', kid: { toString: 'rsa' } }, claims(), 'k')],
    ['the symmetric key of the key set', () => forge({ alg: 'HS256', kid: 'symmetric' }, claims(), Buffer.from('x'))],
    ['a key of the key set that is for encryption', () => sign(claims(), { kid: 'for-encryption' })],
    [
      'the private key of another algorithm in the key set',
      () => sign(claims(), { kid: 'private' }, stranger.privateKey),
    ],
    ['an algorithm that we do not accept', () => sign(claims(), { alg: 'RS512' })],
    ['PS256 with the same key', () => sign(claims(), { alg: 'PS256' })],
    ['the key id of another key', () => sign(claims(), { kid: 'ec' })],
    ['a critical extension', () => sign(claims(), { crit: ['b64'], b64: true })],
    ['another audience', () => sign(claims({ aud: 'billing' }))],
    ['no audience', () => sign(claims({ aud: undefined }))],
    ['an audience that contains ours', () => sign(claims({ aud: 'tickets, billing' }))],
    ['another issuer', () => sign(claims({ iss: 'https://id.example.evil' }))],
    ['no issuer', () => sign(claims({ iss: undefined }))],
    ['a list of issuers', () => sign(claims({ iss: [ISSUER] }))],
    ['an ID token where an access token is required', () => sign(claims({ type: 'id' }))],
    ['no type', () => sign(claims({ type: undefined }))],
    ['a logout token', () => sign(claims(), { typ: 'logout+jwt' })],
    ['an entry token of ours', () => sign(claims(), { typ: 'entry+jwt' })],
    ['no expiry', () => sign(claims({ exp: undefined }))],
    ['an expiry that is a text', () => sign(claims({ exp: '9999999999' }))],
    ['an expiry that never comes', () => forge({ alg: 'HS256' }, claims({ exp: 1e300 }), SECRET)],
    ['an expiry in the past', () => sign(claims({ exp: now() - 6 }))],
    ['a start in the far future', () => sign(claims({ nbf: now() + 3_600 }))],
    ['no user', () => sign(claims({ sub: undefined }))],
    ['an empty user', () => sign(claims({ sub: '' }))],
    ['a user that looks like a guest', () => sign(claims({ sub: 'guest:0123456789abcdef' }))],
    ['a user that looks like an account here', () => sign(claims({ sub: 'u_0123456789abcdef' }))],
    ['a user that is a list', () => sign(claims({ sub: ['mina'] }))],
    ['more than 8 KB', () => sign(claims({ roles: 'x'.repeat(8_192) }))],
    ['HS256 of the site for another audience', () => forge({ alg: 'HS256' }, claims({ aud: 'billing' }), SECRET)],
    ['HS384 without being asked for', () => sign(claims(), { alg: 'HS384' }, Buffer.from(SECRET.repeat(2)))],
    [
      'a session of an account here, signed with the provider’s key',
      () => sign(claims({ aud: 'x' }), { kid: keyIdOf(SECRET) }),
    ],
  ];
  it.each(badOnes)('is refused: %s', async (_name, create) => {
    const verify = await createVerify();
    expect(await verify(await create())).toBeUndefined();
  });

  it('with a small RSA key is refused', async () => {
    const verify = await createVerify();
    const text = (await sign(claims(), { kid: 'small' })).split('.').slice(0, 2).join('.');
    const token = `${text}.${signBytes('sha256', Buffer.from(text), small.privateKey).toString('base64url')}`;
    expect(await verify(token)).toBeUndefined();
  });

  it.each(['HS384', 'HS512'] as const)('%s is accepted where it is configured, and HS256 then is not', async (alg) => {
    const verify = await createVerify({ algorithms: [alg] });
    const secret = Buffer.from(SECRET);
    const key = (hash: string) => ({ name: 'HMAC', hash });
    const imported = (hash: string) => crypto.subtle.importKey('raw', secret, key(hash), false, ['sign']);
    const hash = alg === 'HS384' ? 'SHA-384' : 'SHA-512';
    expect(await verify(await sign(claims(), { alg }, (await imported(hash)) as never))).toBe('mina');
    expect(await verify(forge({ alg: 'HS256' }, claims(), SECRET))).toBeUndefined();
    expect(await verify(await sign(claims()))).toBeUndefined();
  });
});

describe('a token with an unknown key', () => {
  it('makes nobody ask the provider unless it could be valid', async () => {
    const { prepare, reads } = await createTokens();
    const unknown = { kid: 'never heard of' };
    const tokens = [
      sign(claims({ iss: 'https://other.example' }), unknown),
      sign(claims({ aud: 'billing' }), unknown),
      sign(claims({ exp: now() - 60 }), unknown),
      sign(claims({ exp: undefined }), unknown),
      sign(claims({ type: 'refresh' }), unknown),
      sign(claims(), { ...unknown, alg: 'RS512' }),
      forge({ alg: 'HS256', ...unknown }, claims(), 'x'),
      'no token',
      '',
      '...',
    ];
    for (const token of tokens) expect(prepare!(await token)).toBeUndefined();
    expect(reads()).toBe(1);
  });
});
