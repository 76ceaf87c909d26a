import { generateKeyPairSync, type JsonWebKey, type KeyObject, randomBytes } from 'node:crypto';
import { exportJWK, jwtVerify, SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import type { KeySet } from '../../../src/platform/jwt/key-set.ts';
import { createPrivateSigningKey } from '../../../src/platform/jwt/signing-key.ts';
import { type Claims, createTokenSigner, createTokenVerifier } from '../../../src/platform/jwt/tokens.ts';
import { createLongSecretKey, toVerifyingKey, type VerifyingKey } from '../../../src/platform/jwt/verifying-key.ts';

const clock = { now: () => 1_700_000_000_000 };
const seconds = clock.now() / 1000;
const claims = { sub: 'concert', uid: 'ann', iat: seconds, exp: seconds + 600 };
const pairs = {
  EdDSA: generateKeyPairSync('ed25519'),
  ES256: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  RS256: generateKeyPairSync('rsa', { modulusLength: 2048 }),
};
type PairAlgorithm = keyof typeof pairs;

const publicJwk = (algorithm: PairAlgorithm, kid: string): JsonWebKey =>
  ({ ...pairs[algorithm].publicKey.export({ format: 'jwk' }), kid }) as JsonWebKey;
const keySet = (...keys: (VerifyingKey | undefined)[]): KeySet => ({ keys: keys as VerifyingKey[] });
const signByJose = (alg: string, key: KeyObject | Uint8Array, header: Record<string, unknown>) =>
  new SignJWT(claims).setProtectedHeader({ alg, ...header }).sign(key);

describe.each(['EdDSA', 'ES256'] as const)('our tokens with %s', (alg) => {
  const jwk = { ...pairs[alg].privateKey.export({ format: 'jwk' }), kid: 'one', alg } as JsonWebKey & {
    kid: string;
    alg: typeof alg;
  };
  const sign = createTokenSigner({ typ: 'entry+jwt', currentKey: () => createPrivateSigningKey(jwk) });
  const verifyWith = (keys: KeySet) => createTokenVerifier({ keys, typ: 'entry+jwt', read: (read) => read.uid, clock });

  it('are verified by us and by jose', async () => {
    expect(verifyWith(keySet(toVerifyingKey(publicJwk(alg, 'one'))))(sign(claims))).toBe('ann');
    const { payload, protectedHeader } = await jwtVerify(sign(claims), pairs[alg].publicKey, {
      currentDate: new Date(clock.now()),
    });
    expect([payload, protectedHeader]).toEqual([claims, { alg, typ: 'entry+jwt', kid: 'one' }]);
  });

  it('are refused when any character is changed, the key has another id, or the token names none', async () => {
    const token = sign(claims);
    const verify = verifyWith(keySet(toVerifyingKey(publicJwk(alg, 'one'))));
    for (let at = 0; at < token.length; at += 1) {
      const other = token[at] === 'A' ? 'B' : 'A';
      expect(verify(token.slice(0, at) + other + token.slice(at + 1)), `character ${at}`).toBeUndefined();
    }
    expect(verifyWith(keySet(toVerifyingKey(publicJwk(alg, 'two'))))(token)).toBeUndefined();
    expect(verify(await signByJose(alg, pairs[alg].privateKey, { typ: 'entry+jwt' }))).toBeUndefined();
  });

  it('are refused once their key is retired, also when they were remembered', () => {
    const set = { keys: keySet(toVerifyingKey(publicJwk(alg, 'one'))).keys };
    const verify = verifyWith(set);
    const token = sign(claims);
    for (const _visit of [1, 2, 3]) expect(verify(token)).toBe('ann');
    set.keys = [];
    expect(verify(token)).toBeUndefined();
  });
});

describe('tokens of other programs', () => {
  const read = ({ uid }: Claims) => uid;

  it.each(Object.keys(pairs) as PairAlgorithm[])('are verified with %s, with and without a key id', async (alg) => {
    const keys = keySet(
      ...(Object.keys(pairs) as PairAlgorithm[]).map((name) => toVerifyingKey(publicJwk(name, name))),
    );
    const verify = createTokenVerifier({ keys, read, clock });
    expect(verify(await signByJose(alg, pairs[alg].privateKey, { kid: alg }))).toBe('ann');
    expect(verify(await signByJose(alg, pairs[alg].privateKey, {}))).toBe('ann');
    expect(verify(await signByJose(alg, pairs[alg].privateKey, { kid: 'other' }))).toBeUndefined();
  });

  it.each(['HS384', 'HS512'] as const)('are verified with %s', async (alg) => {
    const secret = randomBytes(64);
    const verify = createTokenVerifier({ keys: keySet(createLongSecretKey(secret, alg)), read, clock });
    expect(verify(await signByJose(alg, secret, {}))).toBe('ann');
    expect(verify(await signByJose(alg, randomBytes(64), {}))).toBeUndefined();
  });

  it('cannot use a public key as a secret', async () => {
    const { publicKey } = pairs.EdDSA;
    const verify = createTokenVerifier({ keys: keySet(toVerifyingKey(publicJwk('EdDSA', 'one'))), read, clock });
    const guesses = [publicKey.export({ format: 'pem', type: 'spki' }), JSON.stringify(await exportJWK(publicKey))];
    for (const guess of guesses) {
      expect(verify(await signByJose('HS256', Buffer.from(guess), { kid: 'one' }))).toBeUndefined();
    }
  });
});

describe('a key of a key set', () => {
  it.each([
    ['for encryption', { ...publicJwk('RS256', 'a'), use: 'enc' }],
    ['of another algorithm', { ...publicJwk('RS256', 'a'), alg: 'PS256' }],
    ['with too few bits', generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({ format: 'jwk' })],
    ['of another curve', generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey.export({ format: 'jwk' })],
    ['that is a secret', { kty: 'oct', k: randomBytes(32).toString('base64url') }],
    ['that is broken', { kty: 'OKP', crv: 'Ed25519', x: 'AAAA' }],
  ])('%s is skipped', (_what, jwk) => {
    expect(toVerifyingKey(jwk as JsonWebKey)).toBeUndefined();
  });
});
