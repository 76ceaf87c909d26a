/** Our tokens compared with fast-jwt: each accepts what the other signs, and neither accepts anything else. */
import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { createSigner, createVerifier } from 'fast-jwt';
import { describe, expect, it } from 'vitest';
import { createMac, isSameMac } from '../../../src/platform/crypto/hmac.ts';
import { type Claims, createTokenSigner, createTokenVerifier } from '../../../src/platform/jwt/tokens.ts';
import { keyIdOf } from '../../../src/platform/jwt/verifying-key.ts';

const secret = 'a-secret-of-the-tests-0123456789-0123456789';
const now = 1_800_000_000;
const clock = { now: () => now * 1000 };
const read = (claims: Claims) => claims;
const claims = { sub: 'someone', iat: now, exp: now + 600 };

describe('createMac', () => {
  it('computes HMAC-SHA256 for secrets and texts of any length', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1, maxLength: 150 }),
        fc.string({ unit: 'binary-ascii', maxLength: 500 }),
        (key, text) => {
          expect(createMac(key, 500)(text)).toBe(createHmac('sha256', key).update(text).digest('base64url'));
        },
      ),
    );
  });

  it('compares whole MACs', () => {
    const mac = createMac(secret, 10)('text');
    expect([
      isSameMac(mac, mac),
      isSameMac(mac, `${mac.slice(0, -1)}_`),
      isSameMac(mac, ''),
      isSameMac('', ''),
    ]).toEqual([true, false, false, false]);
  });
});

describe('a token', () => {
  const verify = createTokenVerifier({ secrets: [secret], read, clock });
  const verifyOwn = createTokenVerifier({ secrets: [secret], typ: 'entry+jwt', read, clock });
  const librarySigner = (options: object) => createSigner({ key: secret, algorithm: 'HS256', ...options });

  it('of fast-jwt is accepted here, and one of ours is accepted by fast-jwt', () => {
    expect(verify(librarySigner({})(claims))).toMatchObject(claims);
    const ours = createTokenSigner({ secret, typ: 'JWT' })({ ...claims, name: '한글' });
    const check = createVerifier({ key: secret, algorithms: ['HS256'], clockTimestamp: now * 1000 });
    expect(check(ours)).toEqual({ ...claims, name: '한글' });
  });

  it('is refused if another algorithm or another secret signed it', () => {
    for (const algorithm of ['HS384', 'HS512'] as const)
      expect(verify(librarySigner({ algorithm })(claims))).toBeUndefined();
    expect(
      verify(createSigner({ key: 'another-secret-0123456789-0123456789', algorithm: 'HS256' })(claims)),
    ).toBeUndefined();
  });

  it('of our own kinds must name its kind and its key', () => {
    const header = { alg: 'HS256', typ: 'entry+jwt' };
    expect(verifyOwn(librarySigner({ header, kid: keyIdOf(secret) })(claims))).toMatchObject(claims);
    expect(verifyOwn(librarySigner({ header, kid: 'another' })(claims))).toBeUndefined();
    expect(verifyOwn(librarySigner({ header })(claims))).toBeUndefined();
    expect(verifyOwn(librarySigner({ kid: keyIdOf(secret) })(claims))).toBeUndefined();
    expect(
      verify(librarySigner({ header, kid: keyIdOf(secret) })(claims)),
      'nor is it accepted as a token of the site',
    ).toBeUndefined();
  });

  it('with a critical extension is refused', () => {
    const header = { alg: 'HS256', crit: ['b64'], b64: true };
    expect(verify(librarySigner({ header })(claims))).toBeUndefined();
  });

  it('is valid only between nbf and exp, also when it is remembered', () => {
    let seconds = now;
    const timed = createTokenVerifier({ secrets: [secret], read, clock: { now: () => seconds * 1000 } });
    const token = createTokenSigner({ secret, typ: 'JWT' })({ ...claims, nbf: now + 60 });
    expect(timed(token)).toBeUndefined();
    seconds = now + 55;
    for (let visit = 0; visit < 3; visit += 1) expect(timed(token)).toBeDefined();
    seconds = now + 604;
    expect(timed(token)).toBeDefined();
    seconds = now + 605;
    expect(timed(token)).toBeUndefined();
  });

  it('is remembered from its second visit on', () => {
    let verified = 0;
    const counting = createTokenVerifier({ secrets: [secret], read: () => (verified += 1), clock });
    const sign = createTokenSigner({ secret, typ: 'JWT' });
    const tokens = Array.from({ length: 1000 }, (_, i) => sign({ ...claims, sub: `visitor-${i}` }));
    for (let visit = 0; visit < 10; visit += 1) tokens.forEach(counting);
    // Two tokens that share a mark are verified at every visit.
    expect(verified).toBeGreaterThanOrEqual(2_000);
    expect(verified).toBeLessThan(2_200);
  });

  it('is refused if one character differs (100,000 mutations)', () => {
    const token = createTokenSigner({ secret, typ: 'JWT' })(claims);
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/ ';
    let tried = 0;
    for (let at = 0; tried < 100_000; at = (at + 1) % token.length) {
      const character = alphabet[(tried * 31) % alphabet.length]!;
      tried += 1;
      if (character === token[at]) continue;
      const mutated =
        tried % 3 === 0
          ? token.slice(0, at) + character + token.slice(at)
          : token.slice(0, at) + (tried % 3 === 1 ? character : '') + token.slice(at + 1);
      if (verify(mutated) !== undefined) expect.fail(`accepted ${mutated}`);
    }
  });

  it('is refused if it is arbitrary text', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), (text) => {
        expect(verify(text)).toBeUndefined();
        expect(verify(`${text}.${text}.${text}`)).toBeUndefined();
      }),
    );
  });
});
