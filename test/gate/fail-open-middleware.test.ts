/** A gate inside an application, whose line is reached over HTTP and can be taken away. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { OPEN_PASS_COOKIE } from '../../src/gate/fail-open/open-pass.ts';
import { createOpenPasses } from '../../src/gate/fail-open/signed-passes.ts';
import { createMiddleware, type GatedRequest } from '../../src/gate/fetch/middleware.ts';
import { createKeyRing } from '../../src/signing-keys/key-ring.ts';
import { createServiceKeys } from '../../src/signing-keys/service-keys.ts';
import { secrets } from '../support/test-app.ts';
import { createTestClock } from '../support/test-clock.ts';
import { until } from '../support/until.ts';
import { ask } from './proxy/run-gate.ts';

const failOpen = { afterSeconds: 5, forMinutes: 1, perSecond: 1 };
const rules = { otherwise: 'pass', rules: [{ path: '/shop/{eventId}/**', require: 'entry', answer: 'page' }] };

async function createApplication() {
  const clock = createTestClock();
  const line = { isAway: false, looks: 0, reports: [] as { health: object[]; outages: object[] }[] };
  const [serviceKey] = createServiceKeys(undefined, [secrets.QUEUE_ENTRY_TOKEN_SECRET]);
  const send = (async (url: string | URL | Request, init?: RequestInit) => {
    const { pathname } = new URL(String(url));
    if (pathname === '/gate/rooms') line.looks += 1;
    if (line.isAway) throw new TypeError('fetch failed');
    if (pathname === '/vwr-active.json') return Response.json({ activeEvents: [] });
    if (new Headers(init?.headers).get('authorization') !== `Bearer ${serviceKey}`)
      return new Response('', { status: 401 });
    if (pathname === '/gate/reports') line.reports.push(JSON.parse(String(init?.body)));
    if (pathname !== '/gate/rooms') return new Response(null, { status: 204 });
    return Response.json({ revision: '1', rooms: [{ eventId: 'concert', failOpen, followsHealth: true }] });
  }) as typeof fetch;
  const gate = createMiddleware({
    secrets: { entry: secrets.QUEUE_ENTRY_TOKEN_SECRET, auth: secrets.AUTH_JWT_SECRET },
    ...{ rules, lineUrl: 'http://line.test', fetch: send, now: clock.now },
  });
  const site = createServer((request, response) => {
    void gate(request as GatedRequest, response, () => {
      const status = request.url === '/broken' ? 500 : 200;
      response.writeHead(status).end(JSON.stringify((request as GatedRequest).admitted ?? null));
    });
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void site.close());
  const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  /** Another second, with one look at the line, which requests set going. */
  const second = async () => {
    clock.advance(1_000);
    const before = line.looks;
    await until('a look at the line', async () => {
      await ask(url, '/');
      return line.looks > before;
    });
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { clock, line, url, second };
}

it('lets the trickle pass with passes that every gate accepts, and reports the outage', async () => {
  const { clock, line, url, second } = await createApplication();
  await second();
  expect((await ask(url, '/shop/concert/')).status).toBe(302);
  line.isAway = true;
  for (let i = 0; i < 3; i += 1) await second();
  expect((await ask(url, '/shop/concert/')).status).toBe(503);
  for (let i = 0; i < 4; i += 1) await second();
  const passed = await ask(url, '/shop/concert/');
  expect(passed.status).toBe(200);
  expect(JSON.parse(passed.text)).toMatchObject({ eventId: 'concert', kind: 'fail-open' });
  const cookie = passed.headers['set-cookie']![0]!.split(';')[0]!;
  const onNode = createOpenPasses(createKeyRing('failOpenPass', [secrets.QUEUE_ENTRY_TOKEN_SECRET]), clock);
  const token = cookie.slice(OPEN_PASS_COOKIE.length + 1);
  expect(await onNode.verify(token, clock.now())).toMatchObject({ eventId: 'concert' });
  const other = { eventId: 'concert', passId: 'p', caller: undefined, device: undefined };
  const fromNode = await onNode.issue({ ...other, expiresAt: clock.now() + 60_000 }, clock.now());
  line.isAway = false;
  await second();
  await second();
  expect((await ask(url, '/shop/concert/')).status).toBe(302);
  for (const pass of [cookie, `${OPEN_PASS_COOKIE}=${fromNode}`]) {
    expect((await ask(url, '/shop/concert/', { headers: { cookie: pass } })).status).toBe(200);
  }
  expect(line.reports.flatMap(({ outages }) => outages)).toMatchObject([{ eventId: 'concert', passed: 1 }]);
});

it('reports what it sees of the site', async () => {
  const { line, url, second } = await createApplication();
  await second();
  await ask(url, '/broken');
  await second();
  await second();
  const seen = line.reports.flatMap(({ health }) => health) as { eventId: string; responses: number; errors: number }[];
  expect(seen.every(({ eventId }) => eventId === 'concert')).toBe(true);
  expect(seen.reduce((sum, { errors }) => sum + errors, 0)).toBe(1);
  expect(seen.reduce((sum, { responses }) => sum + responses, 0)).toBeGreaterThan(1);
});
