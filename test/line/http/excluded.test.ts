/** Visitors whom operators eject or ban, at the doors of the line and at the gate inside the instance. */
import { describe, expect, it } from 'vitest';
import { cookiesOf, createTestApp, type TestApp } from '../../support/test-app.ts';

const JOIN = '/api/queue/check/concert';
const STATUS = '/api/queue/status/concert';
const ROOM = '/api/admin/rooms/concert';

async function createRoom(env: Record<string, string> = {}, room: Record<string, unknown> = {}): Promise<TestApp> {
  const test = await createTestApp({ SHOP: 'off', ...env });
  await test.context.line.rooms.putRoom('concert', { maxActive: 1, ...room });
  return test;
}

const codeOf = (response: { statusCode: number; json(): { error?: { code: string } } }) =>
  `${response.statusCode} ${response.json().error?.code ?? 'ok'}`;

/** The gate's verdict on a request with the visitor's token, under a plain rule. */
async function askGate({ app }: TestApp, headers: Record<string, string>) {
  const described = { 'x-forwarded-method': 'GET', 'x-forwarded-uri': '/api/seats/events/concert' };
  const response = await app.inject({ method: 'GET', url: '/gate/verify', headers: { ...described, ...headers } });
  return response.statusCode === 200 ? 'pass' : response.json().error.code;
}

describe('an ejected visitor', () => {
  it('loses the place, reads why, and may join again at the end', async () => {
    const test = await createRoom({}, { maxActive: 0 });
    for (const user of ['mina', 'jun', 'sora']) await test.as(user)('POST', JOIN);
    const ejected = await test.operator('POST', `${ROOM}/eject`, { body: { visitor: 'mina' } });
    expect(ejected.json()).toEqual({ visitor: 'mina', from: 'waiting' });
    expect((await test.as('mina')('GET', STATUS)).json()).toMatchObject({ status: 'not_in_queue', removed: true });
    expect((await test.as('jun')('GET', STATUS)).json()).toMatchObject({ position: 1 });
    const again = (await test.as('mina')('POST', JOIN)).json();
    expect(again).toMatchObject({ status: 'queued', number: 4, position: 3 });
    expect(again).not.toHaveProperty('removed');
  });

  it('has no valid token any more at plain rules, and a valid one after the next admission', async () => {
    const test = await createRoom();
    const { entryToken } = (await test.as('mina')('POST', JOIN)).json();
    const present = (token: string) => ({
      authorization: `Bearer ${test.userToken('mina')}`,
      'x-queue-entry-token': token,
    });
    expect(await askGate(test, present(entryToken))).toBe('pass');
    expect((await test.operator('POST', `${ROOM}/eject`, { body: { visitor: 'mina' } })).json().from).toBe('active');
    expect(await askGate(test, present(entryToken))).toBe('ENTRY_TOKEN_INVALID');
    const again = (await test.as('mina')('POST', JOIN)).json();
    expect(await askGate(test, present(again.entryToken))).toBe('pass');
    expect(await askGate(test, present(entryToken))).toBe('ENTRY_TOKEN_INVALID');
  });

  it('who had no place is not ejected, and an unknown room is 404', async () => {
    const test = await createRoom();
    expect((await test.operator('POST', `${ROOM}/eject`, { body: { visitor: 'nobody' } })).json().from).toBe('absent');
    const unknown = await test.operator('POST', '/api/admin/rooms/none/eject', { body: { visitor: 'x' } });
    expect(codeOf(unknown)).toBe('404 EVENT_NOT_FOUND');
  });
});

describe('a banned visitor', () => {
  it('loses the place, and no door opens again, until the ban is lifted', async () => {
    const test = await createRoom();
    const { entryToken } = (await test.as('mina')('POST', JOIN)).json();
    const claim = { body: { event_id: 'concert' } };
    const waitingToken = (await test.as('mina')('POST', '/api/queue/join', claim)).json().waiting_token;
    const banned = await test.operator('POST', `${ROOM}/bans`, { body: { visitor: 'mina', about: 'resells' } });
    expect(banned.statusCode).toBe(201);
    const asMina = test.as('mina');
    for (const response of [
      await asMina('POST', JOIN),
      await asMina('GET', STATUS),
      await asMina('POST', '/api/queue/heartbeat/concert'),
      await asMina('POST', '/api/queue/join', claim),
      await asMina('GET', '/api/queue/status', { headers: { 'x-waiting-token': waitingToken } }),
      await asMina('POST', '/api/queue/enter', { body: { waiting_token: waitingToken } }),
      await asMina('GET', '/events/concert/tickets/waiting'),
    ]) {
      expect(codeOf(response)).toBe('403 BANNED');
    }
    const headers = { authorization: `Bearer ${test.userToken('mina')}`, 'x-queue-entry-token': entryToken };
    expect(await askGate(test, headers)).toBe('BANNED');
    const found = (await test.operator('GET', `${ROOM}/visitor?id=mina`)).json();
    expect(found).toMatchObject({ visitor: 'mina', state: 'absent', bans: [{ about: 'resells', everywhere: false }] });
    const lifted = await test.app.inject({
      method: 'DELETE',
      url: `${ROOM}/access/${banned.json().id}`,
      headers: { authorization: 'Bearer operator-token-of-the-tests' },
    });
    expect(lifted.statusCode).toBe(200);
    expect(codeOf(await asMina('POST', JOIN))).toBe('200 ok');
  });

  it('reads on the page without JavaScript that they are excluded, and gets no form to join', async () => {
    const test = await createRoom();
    await test.operator('POST', `${ROOM}/bans`, { body: { visitor: 'mina' } });
    const page = await test.as('mina')('GET', '/queue/concert?plain=1', { headers: { 'accept-language': 'en' } });
    expect([page.statusCode, page.body.includes('has excluded you')]).toEqual([403, true]);
    expect(page.body).not.toContain('do=join');
  });

  it('may join other rooms unless the ban is for all, and all of them again when it is over', async () => {
    const test = await createRoom();
    await test.context.line.rooms.putRoom('other', { maxActive: 5 });
    await test.operator('POST', `${ROOM}/bans`, { body: { visitor: 'mina' } });
    await test.operator('POST', `${ROOM}/bans`, { body: { visitor: 'eve', everywhere: true, minutes: 10 } });
    const join = async (user: string) => codeOf(await test.as(user)('POST', '/api/queue/check/other'));
    expect([await join('mina'), await join('eve')]).toEqual(['200 ok', '403 BANNED']);
    const session = {
      headers: { 'x-queue-entry-token': (await test.as('mina')('POST', '/api/queue/check/other')).json().entryToken },
    };
    expect(codeOf(await test.as('mina')('GET', '/gate/verify?eventId=other', session))).toBe('200 ok');
    const ban = await test.operator('POST', `${ROOM}/bans`, {
      body: { visitor: 'mina', everywhere: true, minutes: 5 },
    });
    expect(codeOf(await test.as('mina')('GET', '/gate/verify?eventId=other', session))).toBe('403 BANNED');
    expect(ban.statusCode).toBe(201);
    const refused = (await test.as('eve')('POST', JOIN)).json();
    expect(refused.until).toBe(new Date(test.clock.now() + 600_000).toISOString());
    test.clock.advance(600_000);
    expect(await join('eve')).toBe('200 ok');
  });

  it('is found by address: guests of the range cannot join and get no identity', async () => {
    const test = await createRoom({ TRUST_PROXY: '127.0.0.1' });
    await test.operator('POST', `${ROOM}/bans`, { body: { addresses: ['198.51.100.0/24'] } });
    const joinFrom = (address: string) => test.anyone('POST', JOIN, { headers: { 'x-forwarded-for': address } });
    const refused = await joinFrom('198.51.100.9');
    expect([codeOf(refused), cookiesOf(refused)]).toEqual(['403 BANNED', {}]);
    expect(codeOf(await joinFrom('::ffff:198.51.100.9'))).toBe('403 BANNED');
    expect(codeOf(await joinFrom('198.51.101.9'))).toBe('200 ok');
  });

  it('is not found by an address that the client claims', async () => {
    const test = await createRoom();
    await test.operator('POST', `${ROOM}/bans`, { body: { addresses: ['127.0.0.1'] } });
    const headers = { 'x-forwarded-for': '192.0.2.1', 'x-real-ip': '192.0.2.1', forwarded: 'for=192.0.2.1' };
    expect(codeOf(await test.anyone('POST', JOIN, { headers }))).toBe('403 BANNED');
  });
});

describe('a room that is open to some', () => {
  it('is joined by them alone, and by everybody when the entry is removed', async () => {
    const test = await createRoom({ TRUST_PROXY: '127.0.0.1' });
    const entry = { effect: 'allow-only', addresses: ['192.0.2.0/24'] };
    const { id } = (await test.operator('POST', `${ROOM}/access`, { body: entry })).json();
    const joinFrom = async (address: string) =>
      codeOf(await test.anyone('POST', JOIN, { headers: { 'x-forwarded-for': address } }));
    expect([await joinFrom('192.0.2.7'), await joinFrom('203.0.113.7')]).toEqual(['200 ok', '403 NOT_ALLOWED']);
    const headers = { authorization: 'Bearer operator-token-of-the-tests' };
    await test.app.inject({ method: 'DELETE', url: `${ROOM}/access/${id}`, headers });
    expect(await joinFrom('203.0.113.7')).toBe('200 ok');
  });
});

describe('operators', () => {
  it('get the field that is wrong, and nothing is stored', async () => {
    const test = await createRoom();
    const cases: [string, object, string][] = [
      ['access', { effect: 'bypass' }, 'effect'],
      ['access', { effect: 'bypass', addresses: ['10.0.0.1/8'] }, 'addresses[0]'],
      ['access', { effect: 'bypass', header: { name: 'x-key', secret: 'short' } }, 'header.secret'],
      ['access', { effect: 'allow-only', addresses: ['192.0.2.1'], everywhere: true }, 'events'],
      ['bans', {}, 'visitor'],
      ['bans', { visitor: 'a', addresses: ['192.0.2.1'] }, 'visitor'],
      ['bans', { addresses: ['::/0'] }, 'addresses[0]'],
      ['bans', { account: 'mina@example.com' }, 'account'],
    ];
    for (const [what, body, field] of cases) {
      const response = await test.operator('POST', `${ROOM}/${what}`, { body });
      expect([response.statusCode, response.json().error.fields[0].field], JSON.stringify(body)).toEqual([400, field]);
    }
    expect((await test.operator('GET', `${ROOM}/access`)).json()).toEqual([]);
  });

  it('alone may see and change the list, and all they do is in the audit trail, without secrets', async () => {
    const test = await createRoom();
    const secret = 'secret-of-the-monitor-1234';
    const body = { effect: 'bypass', header: { name: 'x-key', secret }, about: 'uptime monitor' };
    for (const [method, path] of [
      ['GET', 'access'],
      ['POST', 'access'],
      ['POST', 'bans'],
      ['POST', 'eject'],
      ['POST', 'passes'],
      ['GET', 'visitor?id=mina'],
    ] as const) {
      expect((await test.as('mina')(method, `${ROOM}/${path}`, { body: {} })).statusCode).toBe(401);
    }
    const added = await test.operator('POST', `${ROOM}/access`, { body });
    expect(added.json()).toMatchObject({ effect: 'bypass', header: 'x-key', about: 'uptime monitor' });
    await test.as('mina')('POST', JOIN);
    await test.operator('POST', `${ROOM}/bans`, { body: { visitor: 'mina' } });
    const listed = (await test.operator('GET', `${ROOM}/access`)).body;
    const trail = await test.operator('GET', '/api/admin/audit?eventId=concert');
    const actions = trail.json().map(({ action }: { action: string }) => action);
    expect(actions).toEqual(['eject', 'ban', 'add access entry']);
    expect(listed + trail.body).not.toContain(secret);
  });
});
