/** Attempts to bypass the gate: forged tokens, ambiguous paths, unusual methods, spoofed headers. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decide } from '../../src/gate/decision/decide.ts';
import { createTokenSigner } from '../../src/platform/jwt/tokens.ts';
import { keyIdOf } from '../../src/platform/jwt/verifying-key.ts';
import { secrets } from '../support/test-app.ts';
import { bookOf, CDN_SECRET, createGateWorld, summarize } from './gate-world.ts';

const SEATS = '/api/seats/events/concert';
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const partsOf = (token: string) => token.split('.') as [string, string, string];
const claimsOf = (token: string) => JSON.parse(Buffer.from(partsOf(token)[1], 'base64url').toString());

describe('tokens', () => {
  const { clock, ask, entry, vwr, user } = createGateWorld();
  const withEntry = (entryToken: string, who = 'mina') =>
    summarize(ask('GET', SEATS, { entryToken, vwrToken: vwr(), who }));
  const withVwr = (vwrToken: string, device = 'phone') =>
    summarize(ask('GET', SEATS, { entryToken: entry(), vwrToken, device }));
  const noEntry = '403 ENTRY_TOKEN_INVALID /queue/concert';
  const noVwr = '403 VWR_TOKEN_INVALID /vwr/concert';
  const sign = (secret: string, typ: string, claims: object) =>
    createTokenSigner({ secret, typ })(claims as { sub: string; iat: number; exp: number });

  it('pass when they are genuine', () => {
    expect(withEntry(entry())).toBe('pass');
  });

  it.each(['none', 'None', 'HS384', 'RS256', 'ES256', ''])('are refused with algorithm "%s"', (alg) => {
    for (const [token, typ, refused, present] of [
      [entry(), 'entry+jwt', noEntry, withEntry],
      [vwr(), 'vwr+jwt', noVwr, withVwr],
    ] as const) {
      const secret = typ === 'entry+jwt' ? secrets.QUEUE_ENTRY_TOKEN_SECRET : secrets.VWR_TOKEN_SECRET;
      const [, claims, signature] = partsOf(token);
      for (const header of [
        { alg, typ },
        { alg, typ, kid: keyIdOf(secret) },
      ]) {
        expect(present(`${encode(header)}.${claims}.`)).toBe(refused);
        expect(present(`${encode(header)}.${claims}.${signature}`)).toBe(refused);
      }
    }
  });

  it('are refused if signed with the key of another kind of token, or typed as another kind', () => {
    const [entryClaims, vwrClaims] = [claimsOf(entry()), claimsOf(vwr())];
    for (const secret of [secrets.VWR_TOKEN_SECRET, secrets.AUTH_JWT_SECRET, secrets.GUEST_SECRET]) {
      expect(withEntry(sign(secret, 'entry+jwt', entryClaims))).toBe(noEntry);
    }
    for (const secret of [secrets.QUEUE_ENTRY_TOKEN_SECRET, secrets.AUTH_JWT_SECRET, secrets.GUEST_SECRET]) {
      expect(withVwr(sign(secret, 'vwr+jwt', vwrClaims))).toBe(noVwr);
    }
    for (const typ of ['vwr+jwt', 'JWT', 'guest+jwt', 'at+jwt']) {
      expect(withEntry(sign(secrets.QUEUE_ENTRY_TOKEN_SECRET, typ, entryClaims))).toBe(noEntry);
    }
    expect(withEntry(vwr())).toBe(noEntry);
    expect(withVwr(entry())).toBe(noVwr);
    expect(withEntry(user('mina'))).toBe(noEntry);
  });

  it('are refused with a wrong key id or an embedded key', () => {
    const [, claims] = partsOf(entry());
    for (const more of [
      { kid: 'other' },
      { kid: '../../dev/null' },
      { jwk: { kty: 'oct', k: 'AAAA' } },
      { crit: [] },
    ]) {
      const header = encode({ alg: 'HS256', typ: 'entry+jwt', ...more });
      expect(withEntry(`${header}.${claims}.${'A'.repeat(43)}`)).toBe(noEntry);
    }
  });

  it('are refused for another event, user or device, and for an unidentified caller', () => {
    expect(withEntry(entry('other'))).toBe(noEntry);
    expect(withEntry(entry('concert', 'jun'))).toBe(noEntry);
    expect(withEntry(entry(), 'jun')).toBe(noEntry);
    expect(withVwr(vwr('other'))).toBe(noVwr);
    expect(withVwr(vwr('concert', 'tablet'))).toBe(noVwr);
    expect(withVwr(vwr(), 'tablet')).toBe(noVwr);
    const both = { entryToken: entry(), vwrToken: vwr() };
    expect(summarize(ask('GET', SEATS, { ...both, who: null }))).toBe(noEntry);
    expect(summarize(ask('GET', SEATS, { ...both, device: null }))).toBe(noVwr);
  });

  it('are refused once they have expired', () => {
    const [entryToken, vwrToken] = [entry(), vwr()];
    clock.advance(604_000);
    expect(withEntry(entryToken)).toBe('pass');
    clock.advance(2_000);
    expect(withEntry(entryToken)).toBe(noEntry);
    expect(withVwr(vwrToken)).toBe(noVwr);
  });

  it('are refused by decide() once expired, even if the verification keys accept them', () => {
    const { keys, rules, headers, entry: fresh, vwr: freshVwr, clock: itsClock } = createGateWorld();
    const request = { method: 'GET', target: SEATS, headers: headers({ entryToken: fresh(), vwrToken: freshVwr() }) };
    expect(summarize(decide(request, rules, keys, itsClock.now() + 606_000))).toBe(noVwr);
  });

  it('are refused in each of 100,000 mutations', () => {
    const world = createGateWorld({
      book: bookOf({ rules: [{ path: '/{eventId}', require: 'entry' }], otherwise: 'deny' }),
    });
    const token = world.entry();
    const headers = world.headers();
    const request = { method: 'GET', target: '/concert', headers };
    const now = world.clock.now();
    const present = (mutated: string) => {
      headers['x-queue-entry-token'] = mutated;
      return decide(request, world.rules, world.keys, now).outcome;
    };
    expect(present(token)).toBe('pass');
    let tried = 0;
    const passed: string[] = [];
    const mutation = fc.tuple(
      fc.nat(),
      fc.constantFrom('replace', 'insert', 'delete', 'cut', 'swap', 'double'),
      fc.nat(),
    );
    fc.assert(
      fc.property(fc.array(mutation, { minLength: 1, maxLength: 3 }), (mutations) => {
        const mutated = mutations.reduce((text, [at, kind, seed]) => mutate(text, at, kind, seed), token);
        // Mutations can cancel each other out.
        if (mutated === token) return;
        tried += 1;
        if (present(mutated) !== 'deny') passed.push(mutated);
      }),
      { numRuns: 110_000 },
    );
    expect(passed).toEqual([]);
    expect(tried).toBeGreaterThan(100_000);
  });
});

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/ ';

function mutate(text: string, position: number, kind: string, seed: number): string {
  const at = position % Math.max(1, text.length);
  const character = ALPHABET[seed % ALPHABET.length]!;
  switch (kind) {
    case 'replace':
      return text.slice(0, at) + character + text.slice(at + 1);
    case 'insert':
      return text.slice(0, at) + character + text.slice(at);
    case 'delete':
      return text.slice(0, at) + text.slice(at + 1);
    case 'cut':
      return text.slice(0, at);
    case 'swap':
      return text.slice(at) + text.slice(0, at);
    default:
      return text + text.slice(at);
  }
}

describe('paths', () => {
  const { ask, askWithBoth } = createGateWorld();

  it.each([
    '/api%2fseats/events/concert',
    '/api/%2573eats/events/concert',
    '/x/../api/seats/events/concert',
    '/vwr/%2e%2e/api/seats/events/concert',
    '//api/seats/events/concert',
    '/api//seats/events/concert',
    '/api/seats./events/concert',
    '/api/seats;/events/concert',
    '/api\\seats/events/concert',
    '/api/seats/events/concert%00',
    '/vwr/..%2fapi/seats/events/concert',
    'http://site/api/seats/events/concert',
  ])('%s is refused with and without tokens', (path) => {
    expect(summarize(ask('GET', path))).toBe('400 AMBIGUOUS_PATH');
    expect(summarize(askWithBoth('GET', path))).toBe('400 AMBIGUOUS_PATH');
  });

  it.each([
    '/API/SEATS/events/concert',
    '/Api/seats/Events/concert',
    '/api/%53eats/events/concert',
    '/api/seats/events/concert/',
  ])('%s is protected like its canonical form', (path) => {
    expect(summarize(ask('GET', path))).toBe('403 VWR_REQUIRED /vwr/concert');
  });

  it('of an open rule match case-sensitively', () => {
    const book = bookOf({ rules: [{ path: '/public/**', require: 'none' }], otherwise: 'deny' });
    const closed = createGateWorld({ book });
    expect(summarize(closed.ask('GET', '/public/x'))).toBe('pass');
    expect(summarize(closed.ask('GET', '/PUBLIC/x'))).toBe('403 NOT_OPEN');
  });

  it('with another spelling of an active event’s UUID require its vwr token', () => {
    const world = createGateWorld({ activeEvents: ['0a1b2c3d-0000-4000-8000-00000000000f'] });
    for (const id of ['0A1B2C3D-0000-4000-8000-00000000000F', '0a1b2c3d00004000800000000000000f']) {
      expect(summarize(world.ask('GET', `/events/${id}`))).toBe(`302 /vwr/${id}`);
    }
  });

  it('are forwarded in the normalized form that was decided on', () => {
    expect(askWithBoth('GET', '/api/%73eats/events/con%63ert?x=1')).toMatchObject({
      outcome: 'pass',
      target: '/api/seats/events/concert?x=1',
      eventId: 'concert',
    });
  });
});

describe('methods', () => {
  const { ask, askWithBoth } = createGateWorld();

  it.each(['HEAD', 'OPTIONS', 'DELETE', 'PATCH'])('%s is refused without tokens', (method) => {
    expect(summarize(ask(method, SEATS))).toBe('403 VWR_REQUIRED /vwr/concert');
  });

  it.each(['PROPFIND', 'get', 'FOO', 'TRACE', 'CONNECT'])('%s is refused even with tokens', (method) => {
    expect(summarize(askWithBoth(method, SEATS))).toBe('405 METHOD_NOT_ALLOWED');
  });

  it('TRACE is refused on every path because it echoes tokens', () => {
    expect(summarize(ask('TRACE', '/assets/logo.svg'))).toBe('405 METHOD_NOT_ALLOWED');
  });

  it.each(['x-http-method-override', 'x-http-method', 'x-method-override'])('%s is ignored', (header) => {
    expect(summarize(ask('POST', SEATS, { more: { [header]: 'OPTIONS' } }))).toBe('403 VWR_REQUIRED /vwr/concert');
  });
});

describe('headers that only our own servers may send', () => {
  it('X-User-Id does not identify the caller', () => {
    const { ask, entry, vwr } = createGateWorld();
    const sent = { entryToken: entry(), vwrToken: vwr(), more: { 'x-user-id': 'mina' } };
    expect(summarize(ask('GET', SEATS, { ...sent, who: null }))).toBe('403 ENTRY_TOKEN_INVALID /queue/concert');
    expect(summarize(ask('GET', SEATS, { ...sent, who: 'jun' }))).toBe('403 ENTRY_TOKEN_INVALID /queue/concert');
  });

  it.each(['true', '1', '', CDN_SECRET.slice(0, -1), `${CDN_SECRET} `, CDN_SECRET.toUpperCase()])(
    'X-CloudFront-Verified: "%s" is not trusted',
    (proof) => {
      const { ask } = createGateWorld();
      expect(summarize(ask('GET', SEATS, { more: { 'x-cloudfront-verified': proof } }))).toBe(
        '403 VWR_REQUIRED /vwr/concert',
      );
    },
  );

  it('X-CloudFront-Verified with the configured secret passes, except under a strict rule', () => {
    const more = { 'x-cloudfront-verified': CDN_SECRET };
    expect(summarize(createGateWorld().ask('GET', SEATS, { more }))).toBe('pass');
    const book = bookOf({ rules: [{ path: '/{eventId}', require: 'entry', strict: true }], otherwise: 'deny' });
    expect(summarize(createGateWorld({ book }).ask('GET', '/concert', { more }))).toBe(
      '403 ENTRY_TOKEN_REQUIRED /queue/concert',
    );
  });

  it('X-CloudFront-Verified is not trusted if no secret is configured', () => {
    const { ask } = createGateWorld({ cdnSecret: null });
    for (const proof of ['', 'undefined', 'true']) {
      expect(summarize(ask('GET', SEATS, { more: { 'x-cloudfront-verified': proof } }))).toMatch(/^403/);
    }
  });
});

describe('redirects', () => {
  it('always lead to a path of this site', () => {
    const target = fc.oneof(
      fc.string({ maxLength: 40 }),
      fc.constantFrom(
        '//evil.example',
        '/\\evil.example',
        'https://evil.example',
        '%2f%2fevil.example',
        'a@evil.example',
      ),
    );
    const { ask, entry } = createGateWorld({ activeEvents: 'all' });
    fc.assert(
      fc.property(target, target, (event, tokenEvent) => {
        for (const path of [`/events/${event}`, `/events/${encodeURIComponent(event)}`, '/api/reservations']) {
          const decision = ask('GET', path, { entryToken: entry(tokenEvent) });
          const to =
            decision.outcome === 'redirect'
              ? decision.to
              : decision.outcome === 'deny'
                ? decision.redirectTo
                : undefined;
          if (to !== undefined)
            expect(to).toMatch(/^\/(vwr|queue)(\/[A-Za-z0-9_-]{1,64}(\?to=%2F(?!%2F|%5C)[^&#/\\]*)?)?$/);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
