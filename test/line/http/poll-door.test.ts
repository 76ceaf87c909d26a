import { describe, expect, it } from 'vitest';
import { runAdmitterOnce } from '../../../src/line/roles/admitter.ts';
import { cookiesOf, createTestApp, type TestApp } from '../../support/test-app.ts';

async function openRoom(env: Record<string, string> = {}) {
  const test = await createTestApp(env);
  await test.operator('PUT', '/api/admin/rooms/concert', { body: { maxActive: 2 } });
  const admit = () => runAdmitterOnce({ ...test.context.line, metrics: test.context.lineMetrics });
  const check = async (user: string) => (await test.as(user)('POST', '/api/queue/check/concert')).json();
  const status = async (user: string) => (await test.as(user)('GET', '/api/queue/status/concert')).json();
  return { ...test, admit, check, status };
}

const idOf = (token: string): string => JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()).jti;

describe('the poll door', () => {
  it('admits up to the threshold, queues the rest, and passes a freed slot on', async () => {
    const { as, admit, check, status } = await openRoom();
    for (const user of ['a', 'b']) {
      expect(await check(user)).toMatchObject({ status: 'active', queued: false, entryToken: expect.any(String) });
    }
    for (const [index, user] of ['c', 'd', 'e'].entries()) {
      expect(await check(user)).toMatchObject({
        status: 'queued',
        queued: true,
        position: index + 1,
        peopleAhead: index,
      });
    }
    expect(await status('c')).toMatchObject({
      peopleBehind: 2,
      queueSize: 3,
      currentUsers: 2,
      threshold: 2,
      nextPoll: 1,
    });
    expect(await status('c')).not.toHaveProperty('entryToken');

    expect((await as('b')('POST', '/api/queue/leave/concert')).json()).toEqual({ left: true, status: 'not_in_queue' });
    await admit();
    const first = await status('c');
    expect(first).toMatchObject({ status: 'active', entryToken: expect.any(String) });
    const [second, third] = [await status('c'), await check('c')];
    expect([idOf(second.entryToken), idOf(third.entryToken)]).toEqual([idOf(first.entryToken), idOf(first.entryToken)]);

    const place = await status('d');
    expect(await check('d')).toMatchObject({ number: place.number, position: 1 });
    expect(await status('b')).toMatchObject({ status: 'not_in_queue', queued: false });
  });

  it('shows in a claim room that a visitor is ready without beginning the session, which check does', async () => {
    const { as, operator, admit, check, status, clock, context } = await openRoom();
    await operator('PUT', '/api/admin/rooms/concert', { body: { admission: 'claim', claimTtlMs: 30_000 } });
    for (const user of ['a', 'b']) expect(await check(user)).toMatchObject({ status: 'active' });
    expect(await check('c')).toMatchObject({ status: 'queued', position: 1 });
    expect(await check('c')).not.toHaveProperty('readyForEntry');
    await as('b')('POST', '/api/queue/leave/concert');
    await admit();
    const enterBy = new Date(clock.now() + 30_000).toISOString();
    for (const path of ['status', 'heartbeat']) {
      const method = path === 'status' ? 'GET' : 'POST';
      const answer = await as('c')(method, `/api/queue/${path}/concert`);
      expect(answer.json()).toMatchObject({
        status: 'queued',
        queued: true,
        readyForEntry: true,
        enterBy,
        position: 0,
      });
      expect(answer.json()).not.toHaveProperty('entryToken');
      expect(answer.headers).not.toHaveProperty('set-cookie');
    }
    expect((await context.line.rooms.findRoom('concert'))?.crowd).toMatchObject({ admitted: 1, active: 1 });
    expect(await check('c')).toMatchObject({ status: 'active', entryToken: expect.any(String) });
    expect(await status('c')).toMatchObject({ status: 'active', entryToken: expect.any(String) });
  });

  it('responds the same under /api and /api/v1', async () => {
    const { as } = await openRoom();
    const joined = (await as('a')('POST', '/api/v1/queue/check/concert')).json();
    const seen = (await as('a')('GET', '/api/queue/status/concert')).json();
    expect(seen.number).toBe(joined.number);
  });

  it('sets the entry token as an HttpOnly cookie and removes it on leaving', async () => {
    const { as } = await openRoom();
    const joined = await as('a')('POST', '/api/queue/check/concert');
    const cookie = String(joined.headers['set-cookie']);
    expect(cookie).toMatch(/^urr-entry-token=[\w.-]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/);
    expect(cookiesOf(joined)['urr-entry-token']).toBe(joined.json().entryToken);
    const left = await as('a')('POST', '/api/queue/leave/concert');
    expect(String(left.headers['set-cookie'])).toMatch(/^urr-entry-token=; .*Max-Age=0/);
  });

  it('marks cookies Secure only if a trusted proxy reports https', async () => {
    const headers = { 'x-forwarded-proto': 'https' };
    const trusting = await openRoom({ TRUST_PROXY: '127.0.0.1' });
    const secure = await trusting.as('a')('POST', '/api/queue/check/concert', { headers });
    expect(String(secure.headers['set-cookie'])).toMatch(/; Secure$/);
    const suspicious = await openRoom();
    const plain = await suspicious.as('a')('POST', '/api/queue/check/concert', { headers });
    expect(String(plain.headers['set-cookie'])).not.toMatch(/Secure/);
  });

  it('forbids caching of every response about a visitor', async () => {
    const { as } = await openRoom();
    for (const [method, path] of [
      ['POST', 'check'],
      ['GET', 'status'],
      ['POST', 'heartbeat'],
      ['POST', 'leave'],
    ] as const) {
      const answer = await as('a')(method, `/api/queue/${path}/concert`);
      expect(answer.headers['cache-control']).toBe('no-store');
    }
  });

  it('counts a heartbeat as a sign of life', async () => {
    const { as, check, status, clock, context } = await openRoom({ QUEUE_SEEN_TTL_SECONDS: '60' });
    for (const user of ['a', 'b', 'c', 'd']) await check(user);
    clock.advance(50_000);
    expect((await as('c')('POST', '/api/queue/heartbeat/concert')).json()).toMatchObject({
      status: 'queued',
      position: 1,
    });
    clock.advance(20_000);
    await context.line.admissions.sweep('concert');
    expect(await status('c')).toMatchObject({ status: 'queued', position: 1 });
    expect(await status('d')).toMatchObject({ status: 'not_in_queue' });
  });

  it('gives a reason instead of an estimate when nobody is admitted', async () => {
    const { operator, check, status } = await openRoom();
    for (const user of ['a', 'b', 'c']) await check(user);
    expect(await status('c')).toMatchObject({ estimatedWait: expect.any(Number), eventInfo: { state: 'open' } });
    await operator('PUT', '/api/admin/rooms/concert', { body: { state: 'paused', message: { en: 'One moment.' } } });
    expect(await status('c')).toMatchObject({
      estimatedWait: null,
      waitReason: 'paused',
      eventInfo: { state: 'paused', message: { en: 'One moment.' } },
    });
  });

  it('has the message of the operator until it ends', async () => {
    const { clock, operator, check, status } = await openRoom();
    for (const user of ['a', 'b', 'c']) await check(user);
    const until = new Date(clock.now() + 60_000).toISOString();
    await operator('PUT', '/api/admin/rooms/concert', { body: { message: { en: 'A short break.', until } } });
    expect((await status('c')).eventInfo.message).toEqual({ en: 'A short break.' });
    clock.advance(60_000);
    expect((await status('c')).eventInfo).not.toHaveProperty('message');
  });

  it('refuses new visitors of a closed room with 409 and keeps existing places', async () => {
    const { operator, as, check, status } = await openRoom();
    await check('a');
    await operator('PUT', '/api/admin/rooms/concert', { body: { state: 'closed' } });
    const refused = await as('b')('POST', '/api/queue/check/concert');
    expect([refused.statusCode, refused.json().error.code]).toEqual([409, 'ROOM_CLOSED']);
    expect(await status('a')).toMatchObject({ status: 'active' });
  });

  it('limits how many new places a visitor takes, but not requests for an existing one', async () => {
    const { as, clock } = await openRoom({ LIMIT_JOIN_PER_VISITOR: '2' });
    const check = () => as('a')('POST', '/api/queue/check/concert');
    const leave = () => as('a')('POST', '/api/queue/leave/concert');
    await check();
    await leave();
    await check();
    for (let i = 0; i < 5; i += 1) expect((await check()).statusCode).toBe(200);
    await leave();
    const refused = await check();
    expect([refused.statusCode, refused.json().error.code]).toEqual([429, 'RATE_LIMITED']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    clock.advance(120_000);
    expect((await check()).statusCode).toBe(200);
  });
});

describe('guests', () => {
  it('get a signed cookie with their place, and keep the place with it', async () => {
    const { anyone } = await openRoom();
    const joined = await anyone('POST', '/api/queue/check/concert');
    const guest = cookiesOf(joined)['fairline-guest']!;
    expect(String([joined.headers['set-cookie']].flat()[0])).toMatch(/HttpOnly; SameSite=Lax/);
    const again = await anyone('GET', '/api/queue/status/concert', { headers: { cookie: `fairline-guest=${guest}` } });
    expect(again.json()).toMatchObject({ status: 'active', number: joined.json().number });
  });

  it('are not in line before they join, and get no identity from a status request', async () => {
    const { anyone } = await openRoom();
    const answer = await anyone('GET', '/api/queue/status/concert');
    expect(answer.json()).toMatchObject({ status: 'not_in_queue' });
    expect(answer.headers['set-cookie']).toBeUndefined();
    expect((await anyone('POST', '/api/queue/leave/concert')).json()).toMatchObject({ left: false });
  });

  it('are limited per address, IPv6 by /64, because one client can be many guests', async () => {
    const { app } = await openRoom({ LIMIT_GUEST_JOIN_PER_IP: '3' });
    const join = (remoteAddress: string) =>
      app.inject({ method: 'POST', url: '/api/queue/check/concert', remoteAddress });
    for (let i = 0; i < 3; i += 1) expect((await join(`2001:db8:1:2::${i}`)).statusCode).toBe(200);
    expect((await join('2001:db8:1:2:ffff::9')).statusCode).toBe(429);
    expect((await join('2001:db8:1:3::1')).statusCode).toBe(200);
    expect((await join('203.0.113.9')).statusCode).toBe(200);
  });

  it('must sign in where guests are not allowed', async () => {
    const { anyone } = await openRoom({ GUESTS: 'off' });
    const refused = await anyone('POST', '/api/queue/check/concert');
    expect([refused.statusCode, refused.json().error.code]).toEqual([401, 'UNAUTHENTICATED']);
  });

  it('lose a forged cookie, with no other effect', async () => {
    const { anyone, context } = await openRoom();
    const cookie = 'fairline-guest=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJndWVzdDp4In0.AAAA';
    const refused = await anyone('POST', '/api/queue/check/concert', { headers: { cookie } });
    expect([refused.statusCode, refused.json().error.code]).toEqual([401, 'INVALID_TOKEN']);
    expect(String(refused.headers['set-cookie'])).toMatch(/^fairline-guest=; .*Max-Age=0/);
    expect((await context.line.rooms.findRoom('concert'))?.crowd).toMatchObject({ waiting: 0, active: 0 });
  });
});

describe('bad input', () => {
  it('responds 404 to unknown events, and 100,000 of them leave no trace', async () => {
    const { as, context } = await openRoom({ LIMIT_JOIN_PER_VISITOR: '0' });
    const ask = as('a');
    const refused = await ask('POST', '/api/queue/check/nowhere');
    expect([refused.statusCode, refused.json().error.code]).toEqual([404, 'EVENT_NOT_FOUND']);
    for (let i = 0; i < 100_000; i += 1) {
      const outcome = await context.line.visits.join(`nowhere-${i}`, 'a');
      if (outcome.outcome !== 'no-room') expect.fail(`nowhere-${i} was made`);
    }
    for (let i = 0; i < 300; i += 1) {
      for (const [method, path] of [
        ['POST', 'check'],
        ['GET', 'status'],
        ['POST', 'leave'],
      ] as const) {
        expect((await ask(method, `/api/queue/${path}/nowhere-${i}`)).statusCode).toBe(404);
      }
    }
    expect(await context.line.rooms.listRooms()).toHaveLength(1);
    expect(await context.registry.metrics()).not.toContain('nowhere');
  });

  it.each([
    ['white space', 'a%20b'],
    ['a slash', 'a%2Fb'],
    ['a dot', 'a.b'],
    ['a brace, which would break a key', '%7Bx%7D'],
    ['65 characters', 'a'.repeat(65)],
    ['a letter of another script', '%EA%B3%B5'],
  ])('refuses an event id with %s and says what is allowed', async (_name, id) => {
    const { as } = await openRoom();
    const refused = await as('a')('GET', `/api/queue/status/${id}`);
    expect(refused.statusCode).toBe(400);
    expect(refused.json().error).toMatchObject({
      code: 'INVALID_INPUT',
      message: 'eventId must be 1 to 64 letters, digits, _ or -',
      trace_id: expect.any(String),
      fields: [{ field: 'eventId' }],
    });
  });

  it('refuses bodies that are too large, broken, or not JSON', async () => {
    const { as, context } = await openRoom();
    const ask = (headers: Record<string, string>, body: string) =>
      as('a')('POST', '/api/queue/check/concert', { headers, body: body as unknown as object });
    const json = { 'content-type': 'application/json' };
    const refusals = [
      await ask(json, JSON.stringify({ text: 'x'.repeat(1_100) })),
      await ask(json, '{"broken'),
      await ask({ 'content-type': 'text/xml' }, '<x/>'),
      await ask(json, '{"__proto__": {"admitted": true}}'),
    ];
    expect(refusals.map((answer) => answer.statusCode)).toEqual([413, 400, 415, 400]);
    expect((await context.line.rooms.findRoom('concert'))?.crowd).toMatchObject({ waiting: 0, active: 0 });
  });

  it('ignores body fields and headers that claim an identity or a position', async () => {
    const { as, check, status } = await openRoom();
    for (const user of ['a', 'b', 'c']) await check(user);
    await as('d')('POST', '/api/queue/check/concert', {
      headers: { 'x-user-id': 'c', 'x-forwarded-for': '1.2.3.4' },
      body: { vwrPosition: 1, position: 1, userId: 'c' },
    });
    expect(await status('d')).toMatchObject({ position: 2 });
    expect(await status('c')).toMatchObject({ position: 1 });
  });
});

describe('invalid tokens', () => {
  const expectRefused = async (test: TestApp, token: string) => {
    const headers = { authorization: `Bearer ${token}` };
    const refused = await test.anyone('POST', '/api/queue/check/concert', { headers });
    expect([refused.statusCode, refused.json().error?.code]).toEqual([401, 'INVALID_TOKEN']);
    expect((await test.context.line.rooms.findRoom('concert'))?.crowd).toMatchObject({ waiting: 0, active: 0 });
  };
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

  it('are refused when expired, not yet valid, or without an end', async () => {
    const test = await openRoom();
    const now = test.clock.now() / 1000;
    await expectRefused(test, test.userToken('a', { exp: now - 6 }));
    await expectRefused(test, test.userToken('a', { nbf: now + 60 }));
    await expectRefused(test, test.userToken('a', { exp: undefined }));
  });

  it('are refused when forged, unsigned, or signed in another way', async () => {
    const test = await openRoom();
    const [header, payload, signature] = test.userToken('a').split('.') as [string, string, string];
    const claims = { sub: 'a', exp: test.clock.now() / 1000 + 600 };
    await expectRefused(test, `${header}.${encode({ ...claims, sub: 'b' })}.${signature}`);
    await expectRefused(test, `${header}.${payload}.${signature.slice(0, -2)}xx`);
    await expectRefused(test, `${encode({ alg: 'none' })}.${payload}.`);
    await expectRefused(test, `${encode({ alg: 'none', typ: 'JWT' })}.${payload}.${signature}`);
    await expectRefused(test, `${encode({ alg: 'HS512', typ: 'JWT' })}.${payload}.${signature}`);
    await expectRefused(test, '');
    await expectRefused(test, 'not a token');
    await expectRefused(test, `${header}.${encode({ ...claims, text: 'x'.repeat(3_000) })}.${signature}`);
  });

  it('are refused when they are genuine but of another type', async () => {
    const test = await openRoom();
    const admission = {
      state: 'active',
      number: 1,
      tokenId: 'x.1',
      joinedAt: 0,
      admittedAt: test.clock.now(),
      expiresAt: 4e12,
    } as const;
    await expectRefused(test, test.context.entryTokens.issue('concert', 'a', admission));
    await expectRefused(test, test.context.identity.createGuest().token);
  });

  it('are refused when the user id looks like a guest’s, is empty, or is not printable', async () => {
    const test = await openRoom();
    for (const name of ['guest:abc', '', ' a', 'a\nb', 'x'.repeat(129)])
      await expectRefused(test, test.userToken(name));
  });

  it('are accepted with the previous secret while secrets are rotated', async () => {
    const test = await openRoom({ AUTH_JWT_SECRET_PREVIOUS: 'the-secret-before-the-last-rotation-0123' });
    const { createTokenSigner } = await import('../../../src/platform/jwt/tokens.ts');
    const sign = createTokenSigner({ secret: 'the-secret-before-the-last-rotation-0123', typ: 'JWT' });
    const iat = test.clock.now() / 1000;
    const headers = { authorization: `Bearer ${sign({ sub: 'a', iat, exp: iat + 60 })}` };
    expect((await test.anyone('POST', '/api/queue/check/concert', { headers })).statusCode).toBe(200);
  });
});
