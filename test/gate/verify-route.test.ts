import { describe, expect, it } from 'vitest';
import { createEntryTokens } from '../../src/line/tokens/entry-tokens.ts';
import { createTokenSigner } from '../../src/platform/jwt/tokens.ts';
import { tokenIdOf } from '../support/shared-line.ts';
import { type Asker, createTestApp, secrets } from '../support/test-app.ts';
import { writeRules } from './proxy/run-gate.ts';

async function admitted() {
  const test = await createTestApp();
  for (const event of ['concert', 'other']) {
    await test.operator('PUT', `/api/admin/rooms/${event}`, { body: { maxActive: 2 } });
  }
  const token: string = (await test.as('a')('POST', '/api/queue/check/concert')).json().entryToken;
  const verify = (user: string, entryToken: string, eventId = 'concert') =>
    test.as(user)('GET', `/gate/verify?eventId=${eventId}`, { headers: { 'x-queue-entry-token': entryToken } });
  return { ...test, token, verify };
}

/** With tier 1 switched on for these events. */
async function numbered(...events: string[]) {
  const test = await createTestApp();
  for (const event of events) {
    await test.operator('PUT', `/api/admin/rooms/${event}`, { body: { maxActive: 2 } });
    expect((await test.operator('POST', `/api/admin/vwr/activate/${event}`)).statusCode).toBe(200);
  }
  return test;
}

describe('GET /gate/verify', () => {
  it('accepts the caller’s own token, in a header or a cookie', async () => {
    const { as, token, verify } = await admitted();
    const passed = await verify('a', token);
    expect(passed.statusCode).toBe(200);
    expect(passed.json()).toMatchObject({ eventId: 'concert', visitor: 'a' });
    const headers = { cookie: `urr-entry-token=${token}` };
    expect((await as('a')('GET', '/gate/verify?eventId=concert', { headers })).statusCode).toBe(200);
  });

  it('decides by the rules too if a proxy has copied the visitor’s own query to the check', async () => {
    const { as, token } = await admitted();
    const visit = (target: string) => {
      const headers = { 'x-queue-entry-token': token, 'x-forwarded-uri': target, 'x-forwarded-method': 'GET' };
      return as('a')('GET', `/gate/verify?${target.split('?')[1]}`, { headers });
    };
    const stolen = await visit('/api/seats/events/other?eventId=concert');
    expect([stolen.statusCode, stolen.headers['x-fairline-code']]).toEqual([403, 'ENTRY_TOKEN_INVALID']);
    expect((await visit('/api/seats/events/concert?eventId=concert')).statusCode).toBe(200);
  });

  it('refers a caller without a token to the line', async () => {
    const { as } = await admitted();
    const refused = await as('a')('GET', '/gate/verify?eventId=concert');
    expect(refused.statusCode).toBe(403);
    expect(refused.json()).toMatchObject({ error: { code: 'ENTRY_TOKEN_REQUIRED' }, redirectTo: '/queue/concert' });
  });

  it('refuses a token of another visitor or event, and a token without credentials', async () => {
    const { anyone, token, verify } = await admitted();
    const headers = { 'x-queue-entry-token': token };
    for (const refused of [
      await verify('b', token),
      await verify('a', token, 'other'),
      await anyone('GET', '/gate/verify?eventId=concert', { headers }),
    ]) {
      expect(refused.statusCode).toBe(403);
      expect(refused.json()).toMatchObject({ error: { code: 'ENTRY_TOKEN_INVALID' } });
    }
  });

  it('refuses a token once its admission has ended', async () => {
    const { as, token, verify, clock } = await admitted();
    clock.advance(606_000);
    expect((await verify('a', token)).statusCode).toBe(403);
    const renewed: string = (await as('a')('POST', '/api/queue/check/concert')).json().entryToken;
    expect((await verify('a', renewed)).statusCode).toBe(200);
    await as('a')('POST', '/api/queue/leave/concert');
    expect((await verify('a', renewed)).statusCode).toBe(403);
  });

  it('refuses forged tokens and other kinds of tokens', async () => {
    const { token, verify, userToken, clock } = await admitted();
    const [header, payload, signature] = token.split('.') as [string, string, string];
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const iat = Math.floor(clock.now() / 1000);
    const wrongKind = createTokenSigner({ secret: secrets.QUEUE_ENTRY_TOKEN_SECRET, typ: 'JWT' });
    for (const forged of [
      `${header}.${encode({ ...claims, uid: 'a', exp: claims.exp + 999 })}.${signature}`,
      `${encode({ alg: 'none', typ: 'entry+jwt' })}.${payload}.`,
      wrongKind({ ...claims, iat }),
      userToken('a', claims),
      signature,
    ]) {
      expect((await verify('a', forged)).statusCode).toBe(403);
    }
  });
});

describe('GET /gate/verify for a proxy that describes the request', () => {
  const seats = '/api/seats/events/concert';
  const ask = (asker: Asker, headers: Record<string, string>) => asker('GET', '/gate/verify', { headers });
  const fromNginx = (uri: string, method = 'GET') => ({ 'x-original-uri': uri, 'x-original-method': method });
  const fromTraefik = (uri: string, method = 'GET') => ({ 'x-forwarded-uri': uri, 'x-forwarded-method': method });

  it('returns 200 with the visitor and event in headers, for the proxy to forward, and no body', async () => {
    const { as, token } = await admitted();
    for (const described of [fromNginx(seats), fromTraefik(seats, 'POST')]) {
      const passed = await ask(as('a'), { ...described, 'x-queue-entry-token': token });
      expect(passed.statusCode).toBe(200);
      expect(passed.headers).toMatchObject({ 'x-fairline-visitor': 'a', 'x-fairline-event': 'concert' });
      expect([passed.payload, passed.headers['content-length']]).toEqual(['', '0']);
    }
    const open = await ask(as('a'), fromNginx('/assets/logo.svg'));
    expect([open.headers['x-fairline-event'], open.headers['x-fairline-visitor']]).toEqual(['', '']);
  });

  it('returns only 401 or 403 to nginx, with the redirect in a header', async () => {
    const { as } = await numbered('concert');
    const refusal = async (uri: string, method?: string) => {
      const { statusCode, headers } = await ask(as('a'), fromNginx(uri, method));
      return [statusCode, headers['x-fairline-code'], headers['x-fairline-redirect'], headers.location];
    };
    expect(await refusal('/events/concert')).toEqual([
      401,
      'VWR_REQUIRED',
      '/vwr/concert?to=%2Fevents%2Fconcert',
      undefined,
    ]);
    expect(await refusal(seats)).toEqual([403, 'VWR_REQUIRED', '/vwr/concert', undefined]);
    expect(await refusal('/api//seats')).toEqual([403, 'AMBIGUOUS_PATH', undefined, undefined]);
    expect(await refusal(seats, 'FOO')).toEqual([403, 'METHOD_NOT_ALLOWED', undefined, undefined]);
  });

  it('returns to other proxies the response for the visitor', async () => {
    const { as } = await numbered('concert');
    const page = await ask(as('a'), fromTraefik('/events/concert'));
    expect([page.statusCode, page.headers.location]).toEqual([302, '/vwr/concert?to=%2Fevents%2Fconcert']);
    const api = await ask(as('a'), fromTraefik(seats));
    expect([api.statusCode, api.json().redirectTo]).toEqual([403, '/vwr/concert']);
    expect((await ask(as('a'), fromTraefik('/api//seats'))).statusCode).toBe(400);
  });

  it('finds the page that sent a request by the host that the proxy names', async () => {
    const { as } = await numbered('concert');
    const sent = { host: 'inner:3000', referer: 'https://shop.example/events/concert?row=4' };
    const wanted = '/vwr/concert?to=%2Fevents%2Fconcert%3Frow%3D4';
    const named = { ...sent, 'x-forwarded-host': 'shop.example' };
    const byNginx = await ask(as('a'), { ...fromNginx(seats, 'POST'), ...named });
    expect(byNginx.headers['x-fairline-redirect']).toBe(wanted);
    expect((await ask(as('a'), { ...fromTraefik(seats), ...named })).json().redirectTo).toBe(wanted);
    expect((await ask(as('a'), { ...fromTraefik(seats), ...sent })).json().redirectTo).toBe('/vwr/concert');
  });

  it('accepts the request itself under /gate/check with any method', async () => {
    const { app, userToken, token } = await admitted();
    const check = (method: 'GET' | 'POST' | 'DELETE' | 'OPTIONS', url: string, headers = {}) =>
      app.inject({
        method,
        url: `/gate/check${url}`,
        headers: { authorization: `Bearer ${userToken('a')}`, ...headers },
      });
    expect((await check('POST', seats)).statusCode).toBe(403);
    const headers = { 'x-queue-entry-token': token, 'content-type': 'text/plain', 'content-length': '7' };
    const passed = await check('POST', `${seats}?row=1`, headers);
    expect([passed.statusCode, passed.headers['x-fairline-visitor']]).toEqual([200, 'a']);
    expect((await check('DELETE', '//api/seats', headers)).statusCode).toBe(400);
    expect((await check('OPTIONS', seats)).statusCode).toBe(403);
  });

  it('refuses headers that disagree or are incomplete', async () => {
    const { as } = await createTestApp();
    for (const headers of [
      { ...fromNginx(seats), 'x-forwarded-uri': '/health' },
      { ...fromTraefik('/health'), 'x-original-uri': seats },
      { ...fromNginx(seats, 'POST'), 'x-forwarded-method': 'OPTIONS' },
      { 'x-original-uri': '/health' },
      { 'x-forwarded-method': 'GET' },
      {},
    ]) {
      const refused = await ask(as('a'), headers as Record<string, string>);
      expect([refused.statusCode, refused.json().error.code]).toEqual([400, 'INVALID_INPUT']);
    }
  });

  it('checks strict rules with the line, which does not renew the session', async () => {
    const rules = writeRules({
      rules: [{ path: '/buy/{eventId}', require: 'entry', strict: true }],
      otherwise: 'pass',
    });
    const { as, operator, clock } = await createTestApp({ GATE_RULES_FILE: rules });
    await operator('PUT', '/api/admin/rooms/concert', { body: { maxActive: 2 } });
    const join = async () => (await as('a')('POST', '/api/queue/check/concert')).json().entryToken as string;
    const token = await join();
    const buy = async (entryToken: string) =>
      (await ask(as('a'), { ...fromNginx('/buy/concert'), 'x-queue-entry-token': entryToken })).statusCode;
    clock.advance(599_000);
    expect(await buy(token)).toBe(200);
    // If the check had renewed the session, the token id would be unchanged.
    clock.advance(2_000);
    const next = await join();
    expect(tokenIdOf(next)).not.toBe(tokenIdOf(token));
    expect(await buy(token)).toBe(403);
    await as('a')('POST', '/api/queue/leave/concert');
    expect(await buy(next)).toBe(403);
  });
});

describe('GET /vwr-active.json', () => {
  it('lists the events with tier 1 switched on, cacheable for one second', async () => {
    const { anyone } = await numbered('concert', 'other');
    const answer = await anyone('GET', '/vwr-active.json');
    expect(answer.json().activeEvents.sort()).toEqual(['concert', 'other']);
    expect(answer.headers['cache-control']).toBe('public, max-age=1');
  });
});

describe('entry tokens', () => {
  it('stay valid while the old secret is accepted, and become invalid once it is removed', () => {
    const clock = { now: () => Date.UTC(2026, 0, 1) };
    const [old, fresh] = ['the-old-secret-0123456789-0123456789', 'the-new-secret-0123456789-0123456789'];
    const admission = {
      state: 'active',
      number: 4,
      tokenId: 'e.4',
      joinedAt: 0,
      admittedAt: clock.now(),
      expiresAt: clock.now() + 600_000,
    } as const;
    const token = createEntryTokens([old], clock).issue('concert', 'a', admission);
    expect(createEntryTokens([fresh, old], clock).verify(token)).toEqual({
      eventId: 'concert',
      visitor: 'a',
      tokenId: 'e.4',
      expiresAt: clock.now() + 600_000,
    });
    expect(createEntryTokens([fresh], clock).verify(token)).toBeUndefined();
  });
});
