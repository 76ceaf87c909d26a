/** The examples of RFC 7515 (JWS) and RFC 7519 (JWT), as far as they concern the one algorithm we accept. */
import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createMac, isSameMac } from '../../../src/platform/crypto/hmac.ts';
import { type Claims, createTokenVerifier } from '../../../src/platform/jwt/tokens.ts';

const secret = 'a-secret-of-the-tests-0123456789-0123456789';
/** The `exp` of the RFCs’ example claims: 2011-03-22T18:43:00Z. */
const EXAMPLE_EXP = 1_300_819_380;

/** RFC 7515, appendix A.1, which is also the example of RFC 7519, section 3.1. */
const example = {
  key: 'AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow',
  header: 'eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9',
  claims: 'eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ',
  signature: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
};

const encode = (text: string) => Buffer.from(text).toString('base64url');
const sign = (signed: string) => `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;

function verify(token: string, nowSeconds = EXAMPLE_EXP - 60): Claims | undefined {
  const clock = { now: () => nowSeconds * 1000 };
  return createTokenVerifier({ secrets: [secret], read: (claims) => claims, clock })(token);
}

describe('RFC 7515', () => {
  it('A.1: computes the signature of the HS256 example', () => {
    const mac = createMac(Buffer.from(example.key, 'base64url'), 500)(`${example.header}.${example.claims}`);
    expect(mac).toBe(example.signature);
    expect(isSameMac(mac, example.signature)).toBe(true);
  });

  it('A.1: reads a header and claims with the line breaks of the example', () => {
    const claims = encode(
      '{"iss":"joe",\r\n "exp":1300819380,\r\n "sub":"joe",\r\n "http://example.com/is_root":true}',
    );
    expect(verify(sign(`${example.header}.${claims}`))).toEqual({
      iss: 'joe',
      exp: EXAMPLE_EXP,
      sub: 'joe',
      'http://example.com/is_root': true,
    });
  });

  it('A.1: refuses the example itself, which another key signed and which names no subject', () => {
    expect(verify(`${example.header}.${example.claims}.${example.signature}`)).toBeUndefined();
    expect(verify(sign(`${example.header}.${example.claims}`))).toBeUndefined();
  });

  it.each([
    ['A.2', 'RS256', 'eyJhbGciOiJSUzI1NiJ9'],
    ['A.3', 'ES256', 'eyJhbGciOiJFUzI1NiJ9'],
    ['A.4', 'ES512', 'eyJhbGciOiJFUzUxMiJ9'],
  ])('%s: refuses a header with %s, even over a correct HMAC', (_, alg, header) => {
    expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toEqual({ alg });
    const claims = encode(JSON.stringify({ sub: 'joe', exp: EXAMPLE_EXP }));
    expect(verify(sign(`${header}.${claims}`))).toBeUndefined();
    expect(verify(sign(`${example.header}.${claims}`)), 'the same claims with HS256').toBeDefined();
  });

  it('A.5: refuses an unsecured token, with and without a signature', () => {
    const header = 'eyJhbGciOiJub25lIn0';
    expect(Buffer.from(header, 'base64url').toString()).toBe('{"alg":"none"}');
    const claims = encode(JSON.stringify({ sub: 'joe', exp: EXAMPLE_EXP }));
    expect(verify(`${header}.${example.claims}.`)).toBeUndefined();
    expect(verify(`${header}.${claims}.`)).toBeUndefined();
    expect(verify(sign(`${header}.${claims}`))).toBeUndefined();
  });

  it('E: refuses a critical extension that it does not know', () => {
    const header = encode(
      '{"alg":"HS256",\r\n "crit":["http://example.com/UNDEFINED"],\r\n "http://example.com/UNDEFINED":true\r\n}',
    );
    const claims = encode(JSON.stringify({ sub: 'joe', exp: EXAMPLE_EXP }));
    expect(verify(sign(`${header}.${claims}`))).toBeUndefined();
    expect(
      verify(
        'eyJhbGciOiJub25lIiwNCiAiY3JpdCI6WyJodHRwOi8vZXhhbXBsZS5jb20vVU5ERUZJTkVEIl0sDQogImh0dHA6Ly9leGFtcGxlLmNvbS9VTkRFRklORUQiOnRydWUNCn0.RkFJTA.',
      ),
    ).toBeUndefined();
  });
});

describe('RFC 7519', () => {
  const tokenOf = (claims: object) => sign(`${encode('{"alg":"HS256"}')}.${encode(JSON.stringify(claims))}`);

  it('4.1.4: refuses a token at its expiry, with a tolerance of 5 seconds', () => {
    const token = tokenOf({ sub: 'joe', exp: EXAMPLE_EXP });
    expect(verify(token, EXAMPLE_EXP + 4)).toBeDefined();
    expect(verify(token, EXAMPLE_EXP + 5)).toBeUndefined();
  });

  it('4.1.5: refuses a token before `nbf`, with a tolerance of 5 seconds', () => {
    const token = tokenOf({ sub: 'joe', exp: EXAMPLE_EXP, nbf: EXAMPLE_EXP - 100 });
    expect(verify(token, EXAMPLE_EXP - 106)).toBeUndefined();
    expect(verify(token, EXAMPLE_EXP - 105)).toBeDefined();
  });

  it.each(['exp', 'nbf', 'iat'])('2: refuses a token whose `%s` is not a number', (name) => {
    const claims = { sub: 'joe', exp: EXAMPLE_EXP, nbf: 0, iat: 0 };
    expect(verify(tokenOf(claims))).toEqual(claims);
    for (const value of ['1300819380', null, true, []]) {
      expect(verify(tokenOf({ ...claims, [name]: value })), JSON.stringify(value)).toBeUndefined();
    }
  });

  it('4.1.4: accepts a time with a fraction', () => {
    expect(verify(tokenOf({ sub: 'joe', exp: EXAMPLE_EXP + 0.5 }))).toEqual({ sub: 'joe', exp: EXAMPLE_EXP + 0.5 });
  });
});
