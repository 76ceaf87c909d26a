/** What anybody may ask for must not cost much, however often it is asked: every public endpoint has a budget. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startMetricsServer } from '../../src/compose/metrics-server.ts';
import { mayReadMetrics } from '../../src/operations/metrics-access.ts';
import { freePort } from '../support/free-port.ts';
import { createTestApp } from '../support/test-app.ts';

const TOKEN = 'metrics-token-of-the-tests-0123456789';

describe('/openapi.json', () => {
  it('is rendered once, and can be cached', async () => {
    const { app, anyone } = await createTestApp({ SHOP: 'off' });
    await app.ready();
    const render = app.swagger.bind(app);
    let renderings = 0;
    app.swagger = ((...options: []) => {
      renderings += 1;
      return render(...options);
    }) as typeof app.swagger;
    const answers = await Promise.all(Array.from({ length: 20 }, () => anyone('GET', '/openapi.json')));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 200));
    expect(renderings).toBe(1);
    const { headers } = answers[0]!;
    expect(headers).toMatchObject({ 'cache-control': 'public, max-age=300', etag: expect.any(String) });
    const again = await anyone('GET', '/openapi.json', { headers: { 'if-none-match': String(headers.etag) } });
    expect([again.statusCode, again.body]).toEqual([304, '']);
  });
});

describe('/metrics', () => {
  const ask = async (
    env: Record<string, string>,
    options: { headers?: Record<string, string>; remoteAddress?: string },
  ) => {
    const { app } = await createTestApp({ SHOP: 'off', ...env });
    return (await app.inject({ method: 'GET', url: '/metrics', ...options })).statusCode;
  };

  it('is for clients on this machine only, if nothing else is set', async () => {
    expect(await ask({}, {})).toBe(200);
    expect(await ask({}, { remoteAddress: '203.0.113.7' })).toBe(403);
    expect(await ask({}, { headers: { 'x-forwarded-for': '203.0.113.7' } })).toBe(403);
    expect(await ask({}, { headers: { host: 'shop.example' } })).toBe(403);
    expect(await ask({ TRUST_PROXY: '127.0.0.1' }, {})).toBe(403);
    expect(await ask({ METRICS_PORT: '9464' }, {})).toBe(403);
  });

  it('needs METRICS_TOKEN if there is one, from anywhere', async () => {
    const env = { METRICS_TOKEN: TOKEN, TRUST_PROXY: '127.0.0.1' };
    expect(await ask(env, {})).toBe(403);
    expect(await ask(env, { headers: { authorization: 'Bearer another' } })).toBe(403);
    expect(await ask(env, { headers: { authorization: `Bearer ${TOKEN}` }, remoteAddress: '203.0.113.7' })).toBe(200);
  });

  it('is refused to a proxy on this machine, whichever header it adds', () => {
    const local = { token: undefined, allowLocal: true };
    for (const peer of ['127.0.0.1', '::1', '::ffff:127.0.0.1']) {
      expect(mayReadMetrics({ headers: { host: 'localhost:3000' }, peer }, local)).toBe(true);
    }
    for (const name of ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'forwarded', 'via']) {
      expect(mayReadMetrics({ headers: { host: 'localhost', [name]: 'x' }, peer: '127.0.0.1' }, local)).toBe(false);
    }
    expect(mayReadMetrics({ headers: {}, peer: '127.0.0.1' }, local)).toBe(false);
  });

  it('is served on METRICS_PORT, and nothing else is', async () => {
    const { context } = await createTestApp({ SHOP: 'off', METRICS_PORT: String(await freePort()) });
    const server = (await startMetricsServer(context))!;
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${context.config.metricsPort}`;
    expect(await (await fetch(`${url}/metrics`)).text()).toContain('fairline_joins_total');
    expect((await fetch(`${url}/openapi.json`)).status).toBe(404);
  });

  it('is rendered at most once a second', async () => {
    const { anyone, context } = await createTestApp({ SHOP: 'off' });
    const render = context.registry.metrics.bind(context.registry);
    let renderings = 0;
    context.registry.metrics = () => {
      renderings += 1;
      return render();
    };
    await Promise.all(Array.from({ length: 50 }, () => anyone('GET', '/metrics')));
    expect(renderings).toBeLessThanOrEqual(2);
  });
});

describe('public reads of the shop', () => {
  it('reach the database a few times a second, however many ask for the same', async () => {
    const { anyone, context } = await createTestApp();
    const events = context.shop!.events;
    let queries = 0;
    events.listEvents = async () => {
      queries += 1;
      return [];
    };
    events.findEvent = async () => {
      queries += 1;
      return undefined;
    };
    await Promise.all(Array.from({ length: 200 }, () => anyone('GET', '/api/events')));
    await Promise.all(Array.from({ length: 200 }, () => anyone('GET', '/api/v1/events/concert')));
    expect(queries).toBeLessThan(20);
  });

  it('are limited per address when they ask for ever other things', async () => {
    const { app, context } = await createTestApp({ LIMIT_PUBLIC_READ_PER_IP: '5' });
    let queries = 0;
    context.shop!.events.findEvent = async () => {
      queries += 1;
      return undefined;
    };
    const ask = async (id: number, remoteAddress: string) =>
      (await app.inject({ method: 'GET', url: `/api/events/e${id}`, remoteAddress })).statusCode;
    const statuses: number[] = [];
    for (let id = 0; id < 8; id += 1) statuses.push(await ask(id, '203.0.113.7'));
    expect(statuses).toEqual([404, 404, 404, 404, 404, 429, 429, 429]);
    expect(await ask(9, '203.0.113.8')).toBe(404);
    expect(queries).toBe(6);
  });

  it('limits downloads of the list of a draw per address', async () => {
    const { app, context } = await createTestApp({ SHOP: 'off', LIMIT_DRAW_LIST_PER_IP: '2' });
    context.line.draws.findDraw = async () => ({ phase: 'drawn', entries: 0, listHash: 'x' }) as never;
    const ask = async (remoteAddress: string) =>
      (await app.inject({ method: 'GET', url: '/api/rooms/concert/draw/entries', remoteAddress })).statusCode;
    expect([await ask('203.0.113.7'), await ask('203.0.113.7'), await ask('203.0.113.7')]).toEqual([200, 200, 429]);
    expect(await ask('203.0.113.8')).toBe(200);
  });
});

describe('every GET endpoint', () => {
  it('is in the table of budgets of docs/reference/endpoints.md, or refuses strangers', async () => {
    const { app } = await createTestApp();
    await app.ready();
    const page = readFileSync(join(import.meta.dirname, '../../docs/reference/endpoints.md'), 'utf8');
    const table = page.slice(page.indexOf('## Cost of public endpoints'));
    const isAlias = (url: string) => /^\/(api\/v1|vwr-api)\//.test(url);
    const gets = app.routeList.filter(({ method, url }) => method === 'GET' && !isAlias(url));
    const documented = (url: string) => {
      const named = url.replace(/:(\w+)/g, '{$1}').replace(/\/assets\/.*/, '/assets/');
      return table.includes(`\`${named}\``);
    };
    const others = gets.filter(({ url }) => !documented(url)).map(({ url }) => url);
    expect(others.length).toBeLessThan(gets.length / 2);
    for (const url of others) {
      const answer = await app.inject({ method: 'GET', url: url.replace(/:\w+/g, 'x') });
      expect([url, answer.statusCode]).toEqual([url, 401]);
    }
  });
});
