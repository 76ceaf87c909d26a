/**
 * Another site makes a visitor's browser send requests here: by a link, by a form that submits itself, by a script. None of
 * them may change anything or give the visitor another identity, at any endpoint.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { buildTier1App } from '../../src/compose/tier1-app.ts';
import { describeWithBrowser, openPage, startBrowser } from '../support/browser.ts';
import { runApp } from '../support/running-app.ts';
import { cookiesOf, createTestApp, type TestApp } from '../support/test-app.ts';
import { until } from '../support/until.ts';

/** How browsers tell where a request comes from. The last two are browsers without Sec-Fetch-Site. */
const foreign: Record<string, string>[] = [
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
  { 'sec-fetch-site': 'cross-site', origin: 'http://localhost:80' },
  { 'sec-fetch-site': 'something new' },
  { origin: 'https://evil.example' },
  { origin: 'null' },
];
const own: Record<string, string>[] = [
  {},
  { 'sec-fetch-site': 'same-origin', origin: 'http://localhost:80' },
  { 'sec-fetch-site': 'none' },
  { origin: 'http://localhost:80' },
  { origin: 'https://localhost:80' },
];

/** GET endpoints that do more than read: they join, count as a sign of life, or set a cookie. */
const changingGets = [
  '/api/admin/session',
  '/api/events/:eventId/tickets/waiting',
  '/api/queue/status',
  '/api/queue/status/:eventId',
  '/events/:eventId/tickets/waiting',
  '/vwr/check/:eventId/:requestId',
];
/** Endpoints that prove their caller otherwise, or that a proxy asks on behalf of a visitor. */
const exempt = ['/api/payments/webhook', '/gate/check/*'];
/** GET endpoints that only read. A new endpoint has to be added here or above. */
const readingGets = [
  '/',
  '/.well-known/jwks.json',
  '/admin',
  '/admin/assets/admin.css',
  '/admin/assets/admin.js',
  '/admin/callback',
  '/api/admin/audit',
  '/api/admin/audit/chain',
  '/api/admin/bookings/:bookingCode',
  '/api/admin/events',
  '/api/admin/events/:eventId',
  '/api/admin/events/:eventId/sales',
  '/api/admin/operators',
  '/api/admin/overview',
  '/api/admin/rooms',
  '/api/admin/rooms/:eventId',
  '/api/admin/rooms/:eventId/access',
  '/api/admin/rooms/:eventId/draw/sources',
  '/api/admin/rooms/:eventId/scheduled',
  '/api/admin/rooms/:eventId/visitor',
  '/api/admin/second-factor',
  '/api/admin/service-keys',
  '/api/admin/vwr/status/:eventId',
  '/api/auth/me',
  '/api/auth/sessions',
  '/api/events',
  '/api/events/:eventId',
  '/api/memberships/my',
  '/api/memberships/offer',
  '/api/payments/order/:orderId',
  '/api/payments/user/me',
  '/api/queue/admin/:eventId',
  '/api/reservations/:reservationId',
  '/api/reservations/my',
  '/api/rooms/:eventId/draw',
  '/api/rooms/:eventId/draw/entries',
  '/api/seats/events/:eventId',
  '/api/seats/events/:eventId/changes',
  '/api/seats/layouts',
  '/api/stats/conversion',
  '/api/stats/daily',
  '/api/stats/events',
  '/api/stats/events/:eventId',
  '/api/stats/overview',
  '/api/stats/realtime',
  '/api/stats/revenue',
  '/api/transfers',
  '/api/transfers/:transferId',
  '/api/transfers/my',
  '/assets/shop.css',
  '/assets/shop.js',
  '/checkout/:reservationId',
  '/checkout/memberships/:membershipId',
  '/checkout/transfers/:transferId',
  '/confirm-email',
  '/draw/:eventId',
  '/draw/assets/draw.css',
  '/draw/assets/draw.js',
  '/events/:eventId',
  '/events/:eventId/book',
  '/events/:eventId/seats',
  '/fairline.js',
  '/favicon.ico',
  '/favicon.svg',
  '/find-ticket',
  '/forgot-password',
  '/gate/access',
  '/gate/rooms',
  '/gate/verify',
  '/health',
  '/me',
  '/membership',
  '/metrics',
  '/openapi.json',
  '/posters/:eventId',
  '/queue/:eventId',
  '/queue/:eventId/pass',
  '/queue/assets/find-proof.js',
  '/queue/assets/pass.js',
  '/queue/assets/proof.js',
  '/queue/assets/queue.js',
  '/queue/assets/texts-en.js',
  '/queue/assets/texts-ja.js',
  '/queue/assets/texts-ko.js',
  '/queue/assets/texts-zh-Hans.js',
  '/ready',
  '/reservations/:reservationId',
  '/reset-password',
  '/shared-ticket',
  '/sign-in',
  '/vwr-active.json',
  '/vwr/:eventId',
  '/vwr/assets/find-proof.js',
  '/vwr/assets/proof.js',
  '/vwr/assets/texts-en.js',
  '/vwr/assets/texts-ja.js',
  '/vwr/assets/texts-ko.js',
  '/vwr/assets/texts-zh-Hans.js',
  '/vwr/assets/vwr.js',
  '/vwr/status/:eventId',
];

/** Over a real socket, so that the fast path takes the requests that it would take from a browser. */
async function listen(env: Record<string, string> = {}) {
  const test = await createTestApp({ ...env, LIMIT_GUEST_JOIN_PER_IP: '0' });
  const url = await test.app.listen({ host: '127.0.0.1', port: 0 });
  await test.operator('PUT', '/api/admin/rooms/concert', { body: { maxActive: 0 } });
  await test.operator('PUT', '/api/admin/rooms/concert-1', { body: { maxActive: 0 } });
  await test.operator('POST', '/api/admin/vwr/activate/concert-1');
  const send = (method: string, path: string, headers: Record<string, string> = {}, body?: string) =>
    fetch(url + path, { method, headers, redirect: 'manual', ...(body === undefined ? {} : { body }) });
  return { ...test, url, send };
}

const plainPath = (url: string) =>
  url.replace(/^\/(api\/v1|vwr-api)(?=\/)/, (prefix) => (prefix === '/vwr-api' ? '' : '/api'));
const filled = (url: string) => url.replaceAll(':eventId', 'concert').replace(/:\w+|\*/g, 'x');
const isReading = (method: string) => ['GET', 'HEAD', 'OPTIONS'].includes(method);

async function changingRoutes({ app }: Pick<TestApp, 'app'>) {
  await app.ready();
  return app.routeList.filter(
    ({ method, url }) =>
      !exempt.includes(plainPath(url)) &&
      (!isReading(method) || (method !== 'OPTIONS' && changingGets.includes(plainPath(url)))),
  );
}

describe('every endpoint', () => {
  it('is known to read or to change something', async () => {
    const { app } = await createTestApp();
    await app.ready();
    const gets = app.routeList.filter(({ method, url }) => method === 'GET' && !exempt.includes(plainPath(url)));
    expect([...new Set(gets.map(({ url }) => plainPath(url)))].sort()).toEqual(
      [...changingGets, ...readingGets].sort(),
    );
  });

  it.each(['on', 'off'])('that changes something refuses requests of another site (fast path %s)', async (fastPath) => {
    const test = await listen({ HTTP_FAST_PATH: fastPath });
    const { anyone, send } = test;
    const joined = await anyone('POST', '/api/queue/check/concert');
    const guest = cookiesOf(joined)['fairline-guest'];
    const signedIn = await anyone('POST', '/api/admin/session', { body: { token: 'operator-token-of-the-tests' } });
    const cookie = `fairline-guest=${guest}; fairline-operator=${cookiesOf(signedIn)['fairline-operator']}`;
    const before = await stateOf(test);
    const routes = await changingRoutes(test);
    expect(routes.length).toBeGreaterThan(60);
    for (const { method, url } of routes) {
      for (const headers of foreign) {
        // A form of another site can send this body, and the browser may attach cookies.
        const body = isReading(method) ? undefined : '{"eventId":"concert"}';
        const sent = { ...headers, cookie, ...(body === undefined ? {} : { 'content-type': 'text/plain' }) };
        const answer = await send(method, filled(url), sent, body);
        const got = [method, url, JSON.stringify(headers), answer.status, answer.headers.get('set-cookie')];
        expect(got).toEqual([method, url, JSON.stringify(headers), 403, null]);
        if (method !== 'HEAD') expect(await answer.json()).toMatchObject({ error: { code: 'CROSS_SITE' } });
      }
    }
    expect(await stateOf(test)).toEqual(before);
    const poll = await anyone('GET', '/api/queue/status/concert', { headers: { cookie } });
    expect(poll.json()).toMatchObject({ status: 'queued', number: joined.json().number });
  });

  it('sets no cookie for another site, whatever it reads', async () => {
    // Without the shop, whose database takes long to open; only the line, tier 1 and operators set cookies on a GET.
    const { app, send } = await listen({ SHOP: 'off' });
    for (const { method, url } of app.routeList) {
      if (method !== 'GET' || url.endsWith('/changes')) continue;
      const answer = await send('GET', filled(url), {
        'sec-fetch-site': 'cross-site',
        cookie: 'fairline-guest=forged',
      });
      await answer.body?.cancel();
      expect([url, answer.headers.get('set-cookie')]).toEqual([url, null]);
    }
  });
});

/** What a visitor or an operator could find changed. */
async function stateOf({ context, operator }: TestApp) {
  return {
    rooms: (await operator('GET', '/api/admin/rooms')).json(),
    tier1: await context.tier1.store.findCounters('concert-1'),
    audit: (await operator('GET', '/api/admin/audit')).json(),
  };
}

describe.each(['on', 'off'])('a guest who waits (fast path %s)', (fastPath) => {
  it('keeps the place when another site posts a form for them', async () => {
    const { send } = await listen({ HTTP_FAST_PATH: fastPath });
    const joined = await send('POST', '/api/queue/check/concert', { 'sec-fetch-site': 'same-origin' });
    const cookie = joined.headers.getSetCookie()[0]!.split(';')[0]!;
    const { number } = (await joined.json()) as { number: number };
    // A Lax cookie is not sent with such a post, so a new guest would be made and replace the old one.
    for (const path of [
      '/api/queue/check/concert',
      '/queue/concert?do=join',
      '/vwr/assign/concert-1',
      '/vwr/concert-1',
    ]) {
      const attack = await send('POST', path, { 'sec-fetch-site': 'cross-site', 'content-type': 'text/plain' }, '{}');
      expect([path, attack.status, attack.headers.getSetCookie()]).toEqual([path, 403, []]);
    }
    const poll = await send('GET', '/api/queue/status/concert', { 'sec-fetch-site': 'same-origin', cookie });
    expect(await poll.json()).toMatchObject({ status: 'queued', number });
  });

  it('keeps the place when another site sends the very request of our own pages, without a body', async () => {
    const { send } = await listen({ HTTP_FAST_PATH: fastPath });
    const joined = await send('POST', '/api/queue/check/concert', { 'sec-fetch-site': 'same-origin' });
    const cookie = joined.headers.getSetCookie()[0]!.split(';')[0]!;
    for (const headers of foreign) {
      for (const action of ['check', 'heartbeat', 'leave']) {
        const attack = await send('POST', `/api/queue/${action}/concert`, { ...headers, cookie });
        expect([action, attack.status, attack.headers.getSetCookie()]).toEqual([action, 403, []]);
      }
      const attack = await send('POST', '/api/queue/check/concert', headers);
      expect([attack.status, attack.headers.getSetCookie()]).toEqual([403, []]);
    }
  });

  it('can join by every request of our own pages, of curl and of an app', async () => {
    const { send, url } = await listen({ HTTP_FAST_PATH: fastPath });
    for (const headers of own) {
      const local = Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, value.replace('localhost:80', new URL(url).host)]),
      );
      expect([headers, (await send('POST', '/api/queue/check/concert', local)).status]).toEqual([headers, 200]);
    }
  });
});

describe('TRUSTED_ORIGINS', () => {
  it('admits requests of the origins it lists, and of no other', async () => {
    const { send } = await listen({ TRUSTED_ORIGINS: 'https://www.shop.example, https://shop.example' });
    const join = async (headers: Record<string, string>) =>
      (await send('POST', '/api/queue/check/concert', headers)).status;
    expect(await join({ 'sec-fetch-site': 'same-site', origin: 'https://www.shop.example' })).toBe(200);
    expect(await join({ origin: 'https://shop.example' })).toBe(200);
    expect(await join({ 'sec-fetch-site': 'same-site', origin: 'https://blog.shop.example' })).toBe(403);
    expect(await join({ 'sec-fetch-site': 'same-site' })).toBe(403);
    expect(await join({ origin: 'http://shop.example' })).toBe(403);
  });
});

describe('behind a proxy', () => {
  const join = async (env: Record<string, string>, headers: Record<string, string>) => {
    const { app, operator } = await createTestApp(env);
    await operator('PUT', '/api/admin/rooms/concert', { body: { maxActive: 0 } });
    return (await app.inject({ method: 'POST', url: '/api/queue/check/concert', headers })).statusCode;
  };
  const forwarded = { 'x-forwarded-host': 'shop.example', 'x-forwarded-proto': 'https' };

  it('compares the origin with the host that a trusted proxy reports', async () => {
    const env = { TRUST_PROXY: '127.0.0.1' };
    expect(await join(env, { ...forwarded, origin: 'https://shop.example' })).toBe(200);
    expect(await join(env, { ...forwarded, origin: 'http://shop.example' })).toBe(403);
    expect(await join(env, { ...forwarded, origin: 'https://evil.example' })).toBe(403);
  });

  it('ignores the forwarded host of anybody else', async () => {
    expect(await join({}, { 'x-forwarded-host': 'evil.example', origin: 'https://evil.example' })).toBe(403);
  });
});

describe('tier 1 on its own', () => {
  it('gives another site no number', async () => {
    const { context } = await listen();
    const app = buildTier1App(context.config, context.tier1, pino({ level: 'silent' }));
    onTestFinished(() => app.close());
    for (const headers of foreign) {
      const answer = await app.inject({ method: 'POST', url: '/vwr/assign/concert-1', headers });
      expect([answer.statusCode, answer.headers['set-cookie']]).toEqual([403, undefined]);
    }
    expect((await context.tier1.store.findCounters('concert-1'))?.nextPosition).toBe(0);
  });
});

describe('a link from another site', () => {
  it('shows the page without JavaScript and without joining, and is not a sign of life', async () => {
    const { send, context } = await listen();
    const joined = await send('POST', '/api/queue/check/concert');
    const cookie = joined.headers.getSetCookie()[0]!.split(';')[0]!;
    const look = context.line.visits.look.bind(context.line.visits);
    let looks = 0;
    context.line.visits.look = (...visit) => {
      looks += 1;
      return look(...visit);
    };
    const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', accept: 'text/html', cookie };
    const page = await send('GET', '/queue/concert?plain=1&do=join', link);
    expect([page.status, page.headers.getSetCookie(), looks]).toEqual([200, [], 0]);
    expect(await page.text()).toContain('do=leave');
    const stranger = await send('GET', '/queue/concert?plain=1&do=join', { ...link, cookie: '' });
    expect(await stranger.text()).toContain('<form method="post" action="/queue/concert?do=join">');
    expect((await context.line.rooms.findRoom('concert'))?.crowd.waiting).toBe(1);
  });

  it('shows the page with a button to the visitor of a form of another site', async () => {
    const { send, context } = await listen();
    const form = { 'sec-fetch-site': 'cross-site', accept: 'text/html', 'content-type': 'text/plain' };
    const page = await send('POST', '/queue/concert?do=join', form, 'x=1');
    expect([page.status, page.headers.get('content-type')]).toEqual([403, 'text/html; charset=utf-8']);
    expect(await page.text()).toContain('<form method="post" action="/queue/concert?do=join">');
    const tier1 = await send('POST', '/vwr/concert-1', form, 'x=1');
    expect([tier1.status, tier1.headers.get('cache-control')]).toEqual([403, 'no-store']);
    expect(await tier1.text()).toContain('<form method="post">');
    expect((await context.line.rooms.findRoom('concert'))?.crowd.waiting).toBe(0);
  });
});

describeWithBrowser('in a browser, another site', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  /** The site is on localhost; the attacker on 127.0.0.1, which is another site. */
  async function open(attack: (site: string) => string) {
    const { url, context } = await runApp({ room: { maxActive: 0 } });
    const site = url.replace('127.0.0.1', 'localhost');
    const server = createServer((_request, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end(attack(site)),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const evil = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const waiting = async () => (await context.line.rooms.findRoom('concert'))?.crowd.waiting;
    return { site, evil, waiting };
  }
  const guestOf = async (page: Page) =>
    (await page.context().cookies()).find(({ name }) => name === 'fairline-guest')?.value;

  it('cannot take a guest’s place with a form that submits itself', async () => {
    const { site, evil, waiting } = await open(
      (url) => `<form method="post" enctype="text/plain" action="${url}/api/queue/check/concert"></form>
        <script>document.forms[0].submit()</script>`,
    );
    const page = await openPage(browser);
    await page.goto(`${site}/queue/concert`);
    await until('the guest to wait', async () => (await waiting()) === 1);
    const guest = await until('the cookie of the guest', () => guestOf(page));
    const other = await page.context().newPage();
    const seen = other.waitForResponse((response) => response.url().includes('/api/queue/check/'));
    await other.goto(evil);
    expect((await seen).status()).toBe(403);
    expect([await guestOf(page), await waiting()]).toEqual([guest, 1]);
  });

  it('can link to the page, on which a visitor without JavaScript joins with the button', async () => {
    const { evil, site, waiting } = await open((url) => `<a href="${url}/queue/concert">tickets</a>`);
    const page = await openPage(browser, { javaScriptEnabled: false });
    await page.goto(evil);
    await page.click('a');
    await page.waitForSelector('form');
    expect([await guestOf(page), await waiting()]).toEqual([undefined, 0]);
    await page.click('button');
    await page.waitForSelector('#number');
    expect(await waiting()).toBe(1);
    expect(page.url()).toBe(`${site}/queue/concert?plain=1`);
  });
});
