/** clients/vectors.json: the file itself, and our own verifiers, which must agree with the clients in other languages. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { decide } from '../../src/gate/decision/decide.ts';
import { judgeEntry } from '../../src/gate/decision/judge-entry.ts';
import { createMatcher } from '../../src/gate/decision/match-rule.ts';
import { createReader } from '../../src/gate/decision/read-request.ts';
import { readRules } from '../../src/gate/decision/rules.ts';
import { createFetchHandler } from '../../src/gate/fetch/fetch-handler.ts';
import { createVerificationKeys } from '../../src/gate/lookups/verification-keys.ts';
import { createIdentity } from '../../src/identity/identity.ts';
import { createEntryTokens } from '../../src/line/tokens/entry-tokens.ts';
import { toKeys } from '../../src/platform/jwt/key-source.ts';
import { createTokenSigner } from '../../src/platform/jwt/tokens.ts';
import { joinKeys, toVerifyingKeys, verifyOnly } from '../../src/signing-keys/kind-keys.ts';
import { createDeviceFinder } from '../../src/tier1/tokens/devices.ts';
import { createVwrTokens } from '../../src/tier1/tokens/vwr-tokens.ts';

type Expectation =
  | { outcome: 'good'; event: string; visitor: string; tokenId: string; expiresAt: number }
  | { outcome: 'refused'; reason: string; code: string };

interface Vector {
  name: string;
  why: string;
  kind: 'entry' | 'vwr';
  now: number;
  event: string | null;
  user?: string;
  cookie?: string;
  header?: string;
  expect: Expectation;
}

interface VectorFile {
  issuer: string;
  audience: string;
  secrets: { entry: string; entryPrevious: string; vwr: string; vwrPrevious: string };
  jwks: { keys: { kid: string }[] };
  vectors: Vector[];
}

const text = readFileSync(join(import.meta.dirname, '../../clients/vectors.json'), 'utf8');
const { issuer, audience, secrets, jwks, vectors } = JSON.parse(text) as VectorFile;
const entrySecrets = [secrets.entry, secrets.entryPrevious] as const;
const vwrSecrets = [secrets.vwr, secrets.vwrPrevious] as const;

const AUTH_SECRET = 'auth-secret-of-the-vector-tests-0123456789';
const signUser = createTokenSigner({ secret: AUTH_SECRET, typ: 'JWT' });
const clock = { now: () => now * 1000 };
let now = 0;

/** One path for each kind; the first one is for vectors of any event. */
const book = {
  otherwise: 'deny',
  rules: [
    { path: '/entry', require: 'entry', event: 'token', answer: 'api' },
    { path: '/entry/{eventId}', require: 'entry', answer: 'api' },
    { path: '/vwr/{eventId}', require: 'vwr', answer: 'api' },
  ],
};

/** Our verifiers know a user by a token of the site. */
function headersOf({ user, cookie, header }: Vector): Record<string, string> {
  const bearer = user === undefined ? undefined : signUser({ sub: user, iat: now, exp: now + 3600 });
  return {
    ...(cookie === undefined ? {} : { cookie }),
    ...(header === undefined ? {} : { 'x-queue-entry-token': header }),
    ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
  };
}

const targetOf = ({ kind, event }: Vector) => (event === null ? `/${kind}` : `/${kind}/${event}`);

/** All vectors with another result than expected, by name. */
async function findWrong(outcomeOf: (vector: Vector) => unknown, toExpected: (vector: Vector) => unknown) {
  const results = [];
  for (const vector of vectors) {
    now = vector.now;
    results.push({ name: vector.name, got: await outcomeOf(vector), expected: toExpected(vector) });
  }
  return results.filter(({ got, expected }) => JSON.stringify(got) !== JSON.stringify(expected));
}

describe('the vectors', () => {
  it('are what their program writes', async () => {
    // @ts-expect-error: a plain script without types.
    const { makeVectors } = await import('../../clients/conformance/make-vectors.mjs');
    expect(text).toBe(makeVectors());
  });

  it('have each algorithm and kind as a good one, and more than fifty bad ones of every reason', () => {
    const good = vectors.filter(({ expect: { outcome } }) => outcome === 'good').map(({ name }) => name);
    for (const kind of ['entry', 'vwr', 'entry of a user']) {
      expect(good).toEqual(expect.arrayContaining(['EdDSA', 'ES256', 'HS256'].map((name) => `${kind} ${name}`)));
    }
    const reasons = vectors.flatMap(({ expect: expected }) =>
      expected.outcome === 'refused' ? [expected.reason] : [],
    );
    expect(reasons.length).toBeGreaterThan(50);
    expect([...new Set(reasons)].sort()).toEqual(
      [
        ...['missing', 'form', 'header', 'type', 'key', 'algorithm', 'signature', 'claims'],
        ...['issuer', 'audience', 'time', 'event', 'caller'],
      ].sort(),
    );
  });

  it('are the plugin for WordPress too, which is what its program writes', async () => {
    // @ts-expect-error: a plain script without types.
    const { makePlugin } = await import('../../clients/wordpress/make-plugin.mjs');
    expect(readFileSync(join(import.meta.dirname, '../../clients/wordpress/fairline.php'), 'utf8')).toBe(makePlugin());
  });
});

describe('the gate on Node, with public keys', () => {
  const names = { issuer, audience, written: {} };
  const publicKeys = { keys: toKeys(JSON.stringify(jwks), 'the vectors') };
  const kindKeys = (kindSecrets: readonly string[]) =>
    verifyOnly(joinKeys({ keys: toVerifyingKeys(kindSecrets) }, publicKeys), names);
  const findDevice = createDeviceFinder({ keys: [], trustsHeldKeys: true, clock });
  const keys = createVerificationKeys({
    entryTokens: createEntryTokens(kindKeys(entrySecrets), clock),
    vwrTokens: createVwrTokens(kindKeys(vwrSecrets), clock),
    identity: createIdentity({
      ...{ authSecrets: [AUTH_SECRET], guestKeys: [], trustsHeldKeys: true, guestsWelcome: true, clock },
      sessionCookie: { name: 'fairline-session' },
    }),
    device: ({ cookie }) => findDevice(cookie as string | undefined),
    cdnSecret: undefined,
  });
  const read = readRules(book);
  if (read.outcome === 'invalid') throw new Error(JSON.stringify(read.problems));
  const rules = { read: createReader(createMatcher(read.book)), otherwise: read.book.otherwise, isTier1On: () => true };

  it('judges every entry token as expected', async () => {
    const wrong = await findWrong(
      (vector) => {
        if (vector.kind !== 'entry') return undefined;
        const judged = judgeEntry(headersOf(vector), { eventId: vector.event ?? undefined, keys, now: now * 1000 });
        if (judged.outcome === 'refused') return judged.code;
        const { eventId, visitor, tokenId, expiresAt } = judged.entry;
        return [eventId, visitor, tokenId, expiresAt / 1000];
      },
      ({ kind, expect: expected }) => {
        if (kind !== 'entry') return undefined;
        if (expected.outcome === 'refused') return expected.code;
        return [expected.event, expected.visitor, expected.tokenId, expected.expiresAt];
      },
    );
    expect(wrong).toEqual([]);
  });

  it('decides on every request as expected', async () => {
    const wrong = await findWrong(
      (vector) => {
        const request = { method: 'GET', target: targetOf(vector), headers: headersOf(vector) };
        const decision = decide(request, rules, keys, now * 1000);
        return decision.outcome === 'pass' ? `pass ${decision.eventId}` : decision.code;
      },
      ({ expect: expected }) => (expected.outcome === 'good' ? `pass ${expected.event}` : expected.code),
    );
    expect(wrong).toEqual([]);
  });
});

describe('the fetch handler, with public keys', () => {
  const handle = createFetchHandler({
    ...{ jwks, issuer, audience, rules: book, vwrEvents: 'all', now: clock.now },
    secrets: { entry: entrySecrets, vwr: vwrSecrets, auth: AUTH_SECRET },
    fetch: async (input) => {
      const { headers } = input as Request;
      const [event, visitor] = ['event', 'visitor'].map((name) => headers.get(`x-fairline-${name}`));
      return Response.json([event, visitor === null ? null : decodeURIComponent(visitor!)]);
    },
  });

  it('answers every request as expected', async () => {
    const wrong = await findWrong(
      async (vector) => {
        const request = new Request(`https://shop.example${targetOf(vector)}`, { headers: headersOf(vector) });
        const response = await handle(request);
        const body = (await response.json()) as { error?: { code: string } };
        return [response.status, body.error?.code ?? body];
      },
      ({ kind, expect: expected }) =>
        expected.outcome === 'refused'
          ? [403, expected.code]
          : [200, [expected.event, kind === 'entry' ? expected.visitor : null]],
    );
    expect(wrong).toEqual([]);
  });
});
