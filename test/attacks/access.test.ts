/** Attempts to pass without waiting by what lets staff, monitors and crawlers pass. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFetchHandler } from '../../src/gate/fetch/fetch-handler.ts';
import { createMiddleware } from '../../src/gate/fetch/middleware.ts';
import { createRandom } from '../../src/simulate/random.ts';
import { ask, createVisitor, runGate } from '../gate/proxy/run-gate.ts';
import { runApp } from '../support/running-app.ts';
import { startSite } from '../support/site.ts';
import { cookiesOf, createTestApp, secrets, type TestApp } from '../support/test-app.ts';
import { mutations } from './mutate-token.ts';

const SECRET = 'secret-of-the-monitor-1234';
const rules = {
  otherwise: 'pass',
  rules: [{ path: '/shop/{eventId}/**', require: 'entry' }],
  access: [
    { effect: 'bypass', header: { name: 'X-Monitor', env: 'MONITOR_SECRET' } },
    { effect: 'bypass', addresses: ['192.0.2.0/24'] },
    { effect: 'block', addresses: ['198.51.100.0/24'] },
  ],
};
const PAGE = '/shop/concert/seats';

/** The rules name it. */
beforeAll(() => {
  process.env.MONITOR_SECRET = SECRET;
});
afterAll(() => {
  delete process.env.MONITOR_SECRET;
});

async function runGateWith(env: Record<string, string> = {}) {
  const site = await startSite();
  const gate = await runGate({ GATE_UPSTREAM: site.url, ...env }, rules);
  const status = async (headers: Record<string, string | string[]>, path = PAGE) =>
    (await ask(gate.url, path, { headers })).status;
  return { site, gate, status };
}

describe('a header with a secret at fairline gate', () => {
  it('passes with the very secret only, and never reaches the site', async () => {
    const { status, site } = await runGateWith();
    expect(await status({ 'x-monitor': SECRET })).toBe(200);
    expect(await status({ 'X-MONITOR': SECRET }, '/open')).toBe(200);
    for (const headers of [
      { 'x-monitor': `${SECRET} ` },
      { 'x-monitor': [SECRET, SECRET] },
      { 'x-monitor': ['wrong', SECRET] },
      { x_monitor: SECRET },
      { 'x-monitor': '' },
      { cookie: `x-monitor=${SECRET}` },
    ]) {
      // Trailing white space is no part of a header value (RFC 9110, 5.5).
      const isTrimmed = headers['x-monitor'] === `${SECRET} `;
      expect(await status(headers as Record<string, string>), JSON.stringify(headers)).toBe(isTrimmed ? 200 : 403);
    }
    await status({ x_monitor: SECRET, 'x-monitor': 'wrong' }, '/open');
    expect(JSON.stringify(site.asked)).not.toContain('monitor');
  });
});

describe('an address at fairline gate', () => {
  it('is that of the peer, whatever an untrusted peer claims', async () => {
    const { status } = await runGateWith();
    for (const name of [
      'x-forwarded-for',
      'x-real-ip',
      'forwarded',
      'cf-connecting-ip',
      'true-client-ip',
      'x-client-ip',
    ]) {
      const value = name === 'forwarded' ? 'for=192.0.2.1' : '192.0.2.1';
      expect(await status({ [name]: value }), name).toBe(403);
    }
  });

  it('behind a trusted proxy is the last one that the proxy did not forward for others', async () => {
    const { status } = await runGateWith({ TRUST_PROXY: '127.0.0.1' });
    expect(await status({ 'x-forwarded-for': '192.0.2.1' })).toBe(200);
    expect(await status({ 'x-forwarded-for': '::ffff:192.0.2.1' })).toBe(200);
    expect(await status({ 'x-forwarded-for': '192.0.2.1, 203.0.113.1' })).toBe(403);
    expect(await status({ 'x-forwarded-for': '203.0.113.1' })).toBe(403);
    const { hasWaited } = createVisitor();
    expect(await status({ ...hasWaited, 'x-forwarded-for': '198.51.100.1' })).toBe(403);
    expect(await status({ ...hasWaited, 'x-forwarded-for': '198.51.100.1' }, '/open')).toBe(403);
    expect(await status({ ...hasWaited, 'x-forwarded-for': '192.0.2.1, 198.51.100.1' })).toBe(403);
  });
});

describe('a user agent', () => {
  it('of a crawler is no bypass', async () => {
    const site = await startSite();
    const access = [{ effect: 'bypass', crawler: ['googlebot', 'bingbot'] }];
    const gate = await runGate({ GATE_UPSTREAM: site.url }, { ...rules, access });
    const headers = { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' };
    for (let i = 0; i < 3; i += 1) expect((await ask(gate.url, PAGE, { headers })).status).toBe(403);
  });
});

describe('a staff pass', () => {
  async function createPass() {
    const test = await createTestApp({ SHOP: 'off' });
    for (const eventId of ['concert', 'other']) await test.context.line.rooms.putRoom(eventId, {});
    const created = await test.operator('POST', '/api/admin/rooms/concert/passes', {
      body: { minutes: 10, name: 'Sora' },
    });
    const { path, id } = created.json() as { path: string; id: string };
    const link = path.split('#')[1]!;
    const open = (given = link, event = 'concert', headers: Record<string, string> = {}) =>
      test.anyone('POST', `/api/queue/pass/${event}`, { body: { link: given }, headers });
    return { test, id, path, link, open };
  }
  const verdict = async ({ app }: TestApp, pass: string | undefined, uri = '/api/seats/events/concert') => {
    const headers = {
      'x-forwarded-method': 'GET',
      'x-forwarded-uri': uri,
      ...(pass && { cookie: `fairline-pass=${pass}` }),
    };
    const response = await app.inject({ method: 'GET', url: '/gate/verify', headers });
    return response.statusCode === 200 ? (response.headers['x-fairline-event'] as string) : response.json().error.code;
  };
  const codeOf = (response: Awaited<ReturnType<TestApp['anyone']>>) => response.json().error?.code ?? 'opened';

  it('passes its event without waiting, on the device that opened the link first', async () => {
    const { test, open, path } = await createPass();
    expect(path).toMatch(/^\/queue\/concert\/pass#ey/);
    const opened = await open();
    const cookie = String(opened.headers['set-cookie']);
    expect(cookie).toMatch(/^fairline-pass=ey[^;]+; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax$/);
    const pass = cookiesOf(opened)['fairline-pass']!;
    expect(await verdict(test, pass)).toBe('concert');
    expect(codeOf(await open())).toBe('PASS_USED');
    // The same device may open it again.
    expect(codeOf(await open(undefined, 'concert', { cookie: `fairline-pass=${pass}` }))).toBe('opened');
  });

  it('is opened by one of many devices at once', async () => {
    const { open } = await createPass();
    const codes = (await Promise.all(Array.from({ length: 10 }, () => open()))).map(codeOf);
    expect(codes.filter((code) => code === 'opened')).toHaveLength(1);
    expect(codes.filter((code) => code === 'PASS_USED')).toHaveLength(9);
  });

  it('is worth nothing for another event, after its time, or as the link itself', async () => {
    const { test, open, link } = await createPass();
    expect(codeOf(await open(link, 'other'))).toBe('PASS_INVALID');
    const pass = cookiesOf(await open())['fairline-pass']!;
    expect(await verdict(test, pass, '/api/seats/events/other')).toBe('ENTRY_TOKEN_REQUIRED');
    expect(await verdict(test, link)).toBe('ENTRY_TOKEN_REQUIRED');
    test.clock.advance(601_000);
    expect(await verdict(test, pass)).toBe('ENTRY_TOKEN_REQUIRED');
    expect(codeOf(await open(link, 'concert', { cookie: `fairline-pass=${pass}` }))).toBe('PASS_INVALID');
  });

  it('is worth nothing in any other spelling', async () => {
    const { test, open, link } = await createPass();
    const pass = cookiesOf(await open())['fairline-pass']!;
    const random = createRandom(17);
    const mutate = (text: string) => Object.values(mutations).map((change) => change(text, random, [link, pass]));
    const headerSafe = /^[\x21-\x7e]+$/;
    for (const text of mutate(pass).filter((one) => one !== pass && headerSafe.test(one))) {
      expect(await verdict(test, text), text).not.toBe('concert');
    }
    for (const text of mutate(link).filter((one) => one !== link)) {
      expect(codeOf(await open(text)), text).not.toBe('opened');
    }
  });

  it('ends at once when it is revoked, opened or not', async () => {
    const first = await createPass();
    const pass = cookiesOf(await first.open())['fairline-pass']!;
    const revoke = async ({ test, id }: typeof first) =>
      (
        await test.app.inject({
          method: 'DELETE',
          url: `/api/admin/rooms/concert/passes/${id}`,
          headers: { authorization: `Bearer ${secrets.ADMIN_TOKEN}` },
        })
      ).statusCode;
    expect(await revoke(first)).toBe(200);
    expect(await verdict(first.test, pass)).toBe('ENTRY_TOKEN_REQUIRED');
    expect(codeOf(await first.open(undefined, 'concert', { cookie: `fairline-pass=${pass}` }))).toBe('PASS_INVALID');
    const second = await createPass();
    expect(await revoke(second)).toBe(200);
    expect(codeOf(await second.open())).toBe('PASS_INVALID');
  });

  it('is not opened by a page of another site', async () => {
    const { open } = await createPass();
    expect(codeOf(await open(undefined, 'concert', { 'sec-fetch-site': 'cross-site' }))).toBe('CROSS_SITE');
  });

  it('works at a gate that has the secret and nothing else, and in an edge runtime', async () => {
    const { context } = await runApp({ env: secrets });
    const { pass } = context.access.links.create({ events: ['concert'], minutes: 5, name: 'Sora' });
    const cookie = `fairline-pass=${context.access.passes.sign(pass)}`;
    const site = await startSite();
    const gate = await runGate({ GATE_UPSTREAM: site.url }, rules);
    expect((await ask(gate.url, PAGE, { headers: { cookie } })).json.headers['x-fairline-event']).toBe('concert');
    expect((await ask(gate.url, '/shop/other/x', { headers: { cookie } })).status).toBe(403);
    const edgeRules = { ...rules, access: [] };
    const handle = createFetchHandler({
      secrets: { entry: secrets.QUEUE_ENTRY_TOKEN_SECRET },
      rules: edgeRules,
      fetch: async () => new Response('the site'),
    });
    const status = async (event: string) =>
      (await handle(new Request(`https://shop.example/shop/${event}/x`, { headers: { cookie } }))).status;
    expect([await status('concert'), await status('other')]).toEqual([200, 403]);
  });
});

describe('an edge runtime', () => {
  const edgeRules = {
    ...rules,
    access: [
      { effect: 'bypass', header: { name: 'x-monitor', secret: SECRET } },
      { effect: 'bypass', addresses: ['192.0.2.0/24'] },
      { effect: 'block', addresses: ['198.51.100.0/24'] },
    ],
  };
  const options = { secrets: { entry: secrets.QUEUE_ENTRY_TOKEN_SECRET }, rules: edgeRules };

  it('takes the address from the header of the runtime only, and withholds secrets', async () => {
    const asked: Request[] = [];
    const site = async (request: Request) => {
      asked.push(request);
      return new Response('the site');
    };
    const send = (headers: Record<string, string>, path = PAGE, more: object = {}) => {
      const handle = createFetchHandler({ ...options, fetch: site as typeof fetch, ...more });
      return handle(new Request(`https://shop.example${path}`, { headers })).then(({ status }) => status);
    };
    const behind = { clientAddressHeader: 'cf-connecting-ip' };
    expect(await send({ 'x-monitor': SECRET })).toBe(200);
    expect(await send({ 'x-monitor': 'wrong-secret-of-the-monitor' })).toBe(403);
    expect(await send({ 'cf-connecting-ip': '192.0.2.1' })).toBe(403);
    expect(await send({ 'cf-connecting-ip': '192.0.2.1' }, PAGE, behind)).toBe(200);
    expect(await send({ 'x-forwarded-for': '192.0.2.1' }, PAGE, behind)).toBe(403);
    expect(await send({ 'cf-connecting-ip': '198.51.100.1' }, '/open', behind)).toBe(403);
    expect(asked.map(({ headers }) => headers.get('x-monitor'))).toEqual([null, null]);
  });

  it('refuses at the start what it cannot do', () => {
    const create = (access: object) => () => createMiddleware({ ...options, rules: { ...rules, access: [access] } });
    expect(create({ effect: 'bypass', crawler: ['googlebot'] })).toThrow('access[0].crawler needs DNS');
    expect(create({ effect: 'bypass', header: { name: 'x-a', env: 'A' } })).toThrow('needs the secret itself');
  });
});

describe('the list for gates', () => {
  it('is for the service key and operators only', async () => {
    const test = await createTestApp({ SHOP: 'off', SERVICE_KEY: 'service-key-of-the-tests-0123456789' });
    const get = async (authorization?: string) =>
      (await test.anyone('GET', '/gate/access', { headers: authorization === undefined ? {} : { authorization } }))
        .statusCode;
    expect(await get('Bearer service-key-of-the-tests-0123456789')).toBe(200);
    expect(await get(`Bearer ${secrets.ADMIN_TOKEN}`)).toBe(200);
    for (const wrong of [
      undefined,
      'Bearer x',
      `Bearer ${secrets.QUEUE_ENTRY_TOKEN_SECRET}`,
      `Bearer ${test.userToken('mina')}`,
    ]) {
      expect(await get(wrong)).toBe(401);
    }
  });
});
