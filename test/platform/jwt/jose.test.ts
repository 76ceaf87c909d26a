/** Our verifier compared with jose: both accept the same tokens and read the same claims from them. */
import { createHmac, createSecretKey } from 'node:crypto';
import fc from 'fast-check';
import { decodeProtectedHeader, jwtVerify } from 'jose';
import { expect, it } from 'vitest';
import { type Claims, createTokenVerifier } from '../../../src/platform/jwt/tokens.ts';

const secret = 'a-secret-of-the-tests-0123456789-0123456789';
const otherSecret = 'another-secret-of-the-tests-0123456789-012345';
const now = 1_800_000_000;
const clock = { now: () => now * 1000 };
const key = createSecretKey(secret, 'utf8');
const acceptedTypes: unknown[] = [undefined, 'JWT', 'at+jwt'];

/** What our verifier should return, according to jose and to the rules that we add to those of the RFCs. */
async function expected(token: string): Promise<object | undefined> {
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: ['HS256'],
      requiredClaims: ['sub', 'exp'],
      clockTolerance: 5,
      currentDate: new Date(now * 1000),
    });
    const isOurs = typeof payload.sub === 'string' && acceptedTypes.includes(decodeProtectedHeader(token).typ);
    return isOurs && hasCanonicalSignature(token) ? payload : undefined;
  } catch {
    return undefined;
  }
}

/** The last character of a signature has two bits that mean nothing. jose ignores them, we compare them. */
function hasCanonicalSignature(token: string): boolean {
  const signature = token.slice(token.lastIndexOf('.') + 1);
  return Buffer.from(signature, 'base64url').toString('base64url') === signature;
}

const alg = fc.oneof(
  { weight: 6, arbitrary: fc.constant('HS256') },
  fc.constantFrom('HS384', 'HS512', 'none', 'RS256', 7),
);
const typ = fc.constantFrom(undefined, 'JWT', 'at+jwt', 'jwt', 'entry+jwt', 'application/at+jwt', '', 1);
const header = fc.record(
  { alg, typ, kid: fc.string({ maxLength: 5 }), crit: fc.constant(['unknown']) },
  { requiredKeys: ['alg'] },
);
/** Weighted, so that about a third of all tokens are valid. */
const mostly = <T>(usual: fc.Arbitrary<T>, others: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 8, arbitrary: usual }, { weight: 1, arbitrary: others });
const oddValue = fc.constantFrom(null, 'text', true, [], {}, 0, -1);
const time = (from: number, to: number) => fc.integer({ min: now + from, max: now + to });
const claims = fc.record(
  {
    sub: mostly(fc.string(), oddValue),
    exp: mostly(fc.oneof(time(1, 600), time(-10, 10)), oddValue),
    nbf: mostly(fc.oneof(time(-600, 0), time(-10, 10)), oddValue),
    iat: mostly(time(-600, 0), oddValue),
    name: fc.oneof(fc.string({ unit: 'grapheme', maxLength: 20 }), fc.jsonValue({ maxDepth: 2 })),
  },
  { requiredKeys: ['sub', 'exp'] },
);
const plainHeader = fc.record(
  { alg: fc.constant('HS256'), typ: fc.constantFrom('JWT', 'at+jwt') },
  { requiredKeys: ['alg'] },
);

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const signed = fc
  .record({
    header: fc.oneof({ weight: 3, arbitrary: plainHeader }, header),
    claims,
    key: mostly(fc.constant(secret), fc.constant(otherSecret)) as fc.Arbitrary<string>,
    hash: mostly(fc.constant('sha256'), fc.constantFrom('sha384', 'sha512')) as fc.Arbitrary<string>,
  })
  .map((token) => {
    const text = `${encode(token.header)}.${encode(token.claims)}`;
    return `${text}.${createHmac(token.hash, token.key).update(text).digest('base64url')}`;
  });
const mutated = fc
  .record({
    token: signed,
    at: fc.nat(400),
    character: fc.constantFrom(...'ABCabc019-_.=+/ '.split('')),
    drop: fc.nat(1),
    insert: fc.boolean(),
  })
  .map(({ token, at, character, drop, insert }) => {
    const index = at % token.length;
    return token.slice(0, index) + (insert ? character : '') + token.slice(index + drop);
  });

it('accepts the tokens that jose accepts, with the same claims, and no others', async () => {
  let accepted = 0;
  const verify = createTokenVerifier({ secrets: [secret], read: (read: Claims) => read, clock });
  const property = fc.asyncProperty(
    fc.oneof({ weight: 3, arbitrary: signed }, { weight: 1, arbitrary: mutated }),
    async (token) => {
      const found = verify(token);
      expect(found).toEqual(await expected(token));
      if (found !== undefined) accepted += 1;
    },
  );
  await fc.assert(property, { numRuns: 1_000 });
  expect(accepted, 'enough of the tokens must be valid for this test to mean something').toBeGreaterThan(100);
});
