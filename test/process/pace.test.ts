/** The rate follows a real site behind `fairline gate`, and the gate goes on without the line as far as a room allows. */
import type { ServerResponse } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ask, type GateResponse, writeRules } from '../gate/proxy/run-gate.ts';
import { freePort } from '../support/free-port.ts';
import { type ServerProcess, startGateProcess, startServer } from '../support/server-process.ts';
import { setRoom } from '../support/shared-line.ts';
import { startSite } from '../support/site.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { until } from '../support/until.ts';

const rules = {
  otherwise: 'pass',
  rules: [
    { path: '/shop/{eventId}/**', require: 'entry', answer: 'page' },
    { path: '/api/shop/{eventId}/**', require: 'entry' },
  ],
};

/** Repeats `work` until the test is over, `count` at a time. */
function keepDoing(work: () => Promise<unknown>, count = 1, pauseMs = 0): void {
  let isOver = false;
  onTestFinished(() => {
    isOver = true;
  });
  const run = async () => {
    while (!isOver) {
      await work().catch(() => {});
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  };
  for (let i = 0; i < count; i += 1) void run();
}

async function findSummary(line: ServerProcess) {
  const { body } = await line.ask('GET', '/api/admin/overview', { operator: true });
  return body.rooms.find(({ eventId }: { eventId: string }) => eventId === 'concert');
}

describe('a room that follows the health of the site', () => {
  it('admits fewer while the site is slow or fails, tells visitors why, and recovers by itself', async () => {
    const line = await startServer({ DATA_DIR: tempFolder(), QUEUE_ADMISSION_INTERVAL_MS: '200' });
    const followHealth = { maxErrorShare: 0.1, maxP95Ms: 2_000, minPerSecond: 5 };
    await setRoom(line, { maxActive: 1_000, admitPerSecond: 10, followHealth });
    let answer = (response: ServerResponse): void => void response.end('fine');
    const site = await startSite((_request, response) => answer(response));
    const gate = await startGateProcess(['--upstream', site.url, '--line', line.url, '--rules', writeRules(rules)]);
    const { entryToken } = (await gate.ask('POST', '/api/queue/check/concert', { user: 'mina' })).body;
    const inside = { authorization: `Bearer ${gate.userToken('mina')}`, 'x-queue-entry-token': entryToken };
    // The last visitor of a crowd, who waits all the time.
    for (let i = 0; i < 600; i += 1) await line.ask('POST', '/api/queue/check/concert', { user: `v${i}` });
    keepDoing(() => ask(gate.url, '/shop/concert/', { headers: inside }), 60, 200);
    const look = async () => (await line.ask('GET', '/api/queue/status/concert', { user: 'v599' })).body;

    await until('the site to be reported as well', async () => {
      const { perSecond, cause, p95Ms } = (await findSummary(line)).health;
      return perSecond === 10 && cause === null && p95Ms > 0;
    });

    answer = (response) => void setTimeout(() => response.end('at last'), 4_000);
    const slow = await until('a lower rate', async () => {
      const { health, alarms } = await findSummary(line);
      return health.cause === 'latency' && health.perSecond <= 5 && { health, alarms };
    });
    expect(slow.alarms).toContain('site_slow');
    expect(slow.health.p95Ms).toBeGreaterThan(2_000);
    expect((await look()).waitChange).toBe('site');

    answer = (response) => void response.writeHead(500).end('broken');
    await until('errors as the cause', async () => (await findSummary(line)).health.cause === 'errors');
    const broken = await findSummary(line);
    expect(broken.health).toMatchObject({ perSecond: 5 });
    expect(broken.health.errorShare).toBeGreaterThan(0.1);
    expect((await gate.ask('GET', '/api/queue/status/concert', { user: 'mina' })).body.status).toBe('active');

    answer = (response) => void response.end('fine again');
    await until('the full rate', async () => (await findSummary(line)).health.cause === null);
    expect((await look()).waitChange).not.toBe('site');
    expect(await ask(gate.url, '/shop/concert/', { headers: inside })).toMatchObject({ status: 200 });
  });

  it('counts a site that cannot be reached as failing', async () => {
    const line = await startServer({ DATA_DIR: tempFolder(), QUEUE_ADMISSION_INTERVAL_MS: '200' });
    const followHealth = { maxErrorShare: 0.1, maxP95Ms: 5_000, minPerSecond: 1 };
    await setRoom(line, { admitPerSecond: 10, followHealth });
    const gate = await startGateProcess(['--upstream', 'http://127.0.0.1:1', '--line', line.url], {
      LOG_LEVEL: 'silent',
    });
    await line.ask('POST', '/api/queue/check/concert', { user: 'mina' });
    keepDoing(() => ask(gate.url, '/shop'), 4, 10);
    const summary = await until('a lower rate', async () => {
      const found = await findSummary(line);
      return found.health.cause === 'errors' && found;
    });
    expect(summary.health.errorShare).toBe(1);
  });
});

const FAIL_OPEN = { afterSeconds: 2, forMinutes: 1, perSecond: 3 };

async function startWithGate(room: Record<string, unknown>) {
  const dataDir = tempFolder();
  const line = await startServer({ DATA_DIR: dataDir });
  await setRoom(line, room);
  const site = await startSite();
  const words = ['--upstream', site.url, '--line', line.url, '--rules', writeRules(rules)];
  const statusPort = await freePort();
  const gate = await startGateProcess(words, { GATE_STATUS_PORT: String(statusPort) });
  const page = () => ask(gate.url, '/shop/concert/seats?row=7', { headers: { accept: 'text/html' } });
  await until('the gate to know its line', async () => (await page()).status === 302);
  const known = 'failOpen' in room ? 1 : 0;
  await until('the gate to know the room', async () => {
    const metrics = await (await fetch(`http://127.0.0.1:${statusPort}/metrics`)).text();
    return metrics.includes(`fairline_gate_known_rooms ${known}\n`);
  });
  return { dataDir, line, site, gate, page };
}

/** Visitors without a token come until `enough` says so; counts who passed. */
async function countPassed(page: () => Promise<GateResponse>, enough: (passed: GateResponse[]) => boolean) {
  const passed: GateResponse[] = [];
  const refused: GateResponse[] = [];
  await until('enough visitors', async () => {
    const response = await page();
    (response.status === 200 ? passed : refused).push(response);
    return enough(passed);
  });
  return { passed, refused };
}

describe('fairline gate without its line', () => {
  it('lets nobody new pass by default, and says so', async () => {
    const { line, gate, page, site } = await startWithGate({ maxActive: 5 });
    const { entryToken } = (await line.ask('POST', '/api/queue/check/concert', { user: 'mina' })).body;
    line.freeze();
    const refused = await until('the gate to notice', async () => {
      const response = await page();
      return response.status === 503 && response;
    });
    expect(refused.headers).toMatchObject({ 'retry-after': '10', 'cache-control': 'no-store' });
    expect(refused.text).toContain('You cannot enter right now');
    expect((await ask(gate.url, '/api/shop/concert/seats')).json.error.code).toBe('LINE_UNAVAILABLE');
    expect(site.asked).toEqual([]);
    const inside = { authorization: `Bearer ${gate.userToken('mina')}`, 'x-queue-entry-token': entryToken };
    expect((await ask(gate.url, '/shop/concert/', { headers: inside })).status).toBe(200);
    line.resume();
    await until('the line to be back', async () => (await page()).status === 302);
  });

  it('lets a bounded trickle pass if the room says so, until the line is back, and tells operators', async () => {
    const { line, gate, page, site } = await startWithGate({ maxActive: 5, failOpen: FAIL_OPEN });
    const frozenAt = performance.now();
    line.freeze();
    const { passed } = await countPassed(page, (some) => some.length >= 12);
    const openSeconds = (performance.now() - frozenAt) / 1_000 - FAIL_OPEN.afterSeconds;
    expect(passed.length).toBeLessThanOrEqual(FAIL_OPEN.perSecond * openSeconds + FAIL_OPEN.perSecond);
    const [first] = passed;
    const seen = site.asked.find(({ url }) => url === '/shop/concert/seats?row=7')!;
    expect(seen.headers).toMatchObject({ 'x-fairline-event': 'concert', 'x-fairline-pass': 'fail-open' });
    const cookie = first!.headers['set-cookie']![0]!.split(';')[0]!;
    const forged = { cookie, 'x-fairline-pass': 'mine' };
    expect((await ask(gate.url, '/shop/concert/', { headers: forged })).json.headers['x-fairline-pass']).toBe(
      'fail-open',
    );
    expect((await ask(gate.url, '/', { headers: { 'x-fairline-pass': 'fail-open' } })).json.headers).not.toHaveProperty(
      'x-fairline-pass',
    );
    expect(gate.output()).toMatch(/fail open: the line could not be asked for 2 s/);

    line.resume();
    await until('the line to be back', async () => (await page()).status === 302);
    expect((await ask(gate.url, '/shop/concert/', { headers: { cookie } })).status, 'shops on').toBe(200);
    const entry = await until('the report', async () => {
      const { body } = await line.ask('GET', '/api/admin/audit?eventId=concert', { operator: true });
      return body.find(({ action }: { action: string }) => action === 'fail open');
    });
    expect(entry.details.passed).toBeGreaterThanOrEqual(passed.length);
    expect(gate.output()).toMatch(new RegExp(`fail open ended: ${entry.details.passed} visitors passed`));
  });

  it('does so too if the line was killed, and again asks visitors to wait when another one runs', async () => {
    const { line, page, dataDir } = await startWithGate({ maxActive: 5, failOpen: FAIL_OPEN });
    const port = new URL(line.url).port;
    await line.kill('SIGKILL');
    await countPassed(page, (some) => some.length >= 3);
    await startServer({ DATA_DIR: dataDir, PORT: port });
    await until('visitors to wait again', async () => (await page()).status === 302);
  });
});
