import fc from 'fast-check';
import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import type { GateAccess } from '../../src/gate/access/gate-access.ts';
import { type Ban, createAccessJudge } from '../../src/gate/decision/judge-access.ts';
import { toPassHeaders } from '../../src/gate/decision/pass-headers.ts';
import { toAnswer } from '../../src/gate/decision/refusal-answer.ts';
import { FailOpen, type OutageReport } from '../../src/gate/fail-open/fail-open.ts';
import { OPEN_PASS_COOKIE } from '../../src/gate/fail-open/open-pass.ts';
import { createOpenPasses } from '../../src/gate/fail-open/signed-passes.ts';
import { createBucket, stateAt, tryTake } from '../../src/gate/fail-open/trickle.ts';
import { createGateMetrics } from '../../src/gate/gate-metrics.ts';
import { createGuard } from '../../src/gate/guard.ts';
import { LineStatusError } from '../../src/gate/lookups/line-client.ts';
import { type GateRoom, LineWatch } from '../../src/gate/lookups/line-watch.ts';
import { createKeyRing } from '../../src/signing-keys/key-ring.ts';
import { secrets } from '../support/test-app.ts';
import { bookOf, createGateWorld, type Sent, summarize } from './gate-world.ts';

const failOpen = { afterSeconds: 5, forMinutes: 2, perSecond: 2 };
const book = bookOf({
  otherwise: 'pass',
  rules: [
    { path: '/shop/{eventId}/**', require: 'entry', answer: 'page' },
    { path: '/api/{eventId}/**', require: 'entry', strict: true },
    { path: '/cart', require: 'entry', event: 'token' },
  ],
});

/** A gate whose line can be taken away, with a clock that the test moves. */
async function createWorld(
  rooms: GateRoom[] = [{ eventId: 'concert', failOpen, followsHealth: false }],
  { share = 1, bans = [] as Ban[] } = {},
) {
  const world = createGateWorld({ book });
  const { clock, keys } = world;
  const line: { failure: Error | undefined } = { failure: undefined };
  const watch = new LineWatch({
    async fetchRooms() {
      if (line.failure !== undefined) throw line.failure;
      return { revision: '1', rooms };
    },
    now: () => clock.now(),
    onLooked: () => gate.step(),
  });
  const opened: string[] = [];
  const reports: OutageReport[] = [];
  const gate = new FailOpen({
    ...{ watch, share, now: () => clock.now(), stopwatch: () => clock.now() },
    passes: createOpenPasses(createKeyRing('failOpenPass', [secrets.QUEUE_ENTRY_TOKEN_SECRET]), clock),
    onOpened: (eventId) => opened.push(eventId),
    onClosed: (report) => reports.push(report),
  });
  const judge = createAccessJudge({ entries: [], bans, ejections: [], revokedPasses: [] });
  const access: GateAccess = { judge: () => judge, see: (request) => request, note: () => {} };
  const guard = createGuard({
    ...{ access, book, keys, activeEvents: world.active, failOpen: gate, now: () => clock.now() },
    askLine: async () => 'unknown' as const,
    metrics: createGateMetrics(new Registry()),
  });
  /** Seconds pass, with one look at the line in each. */
  const pass = async (seconds: number) => {
    for (let i = 0; i < seconds; i += 1) {
      clock.advance(1_000);
      await watch.look();
    }
  };
  const ask = (target: string, sent: Sent = {}) =>
    guard.decide({ method: 'GET', target, headers: world.headers({ who: null, device: null, ...sent }) });
  await watch.look();
  return { ...world, line, watch, opened, reports, pass, ask };
}

const AWAY = new Error('connect ECONNREFUSED');
const cookieOf = (cookies: readonly string[]) => cookies[0]!.split(';')[0]!;

describe('a gate that cannot ask the line', () => {
  it('sends visitors to wait as long as the line answers, and after a single failure', async () => {
    const { line, pass, ask } = await createWorld();
    expect(summarize(await ask('/shop/concert/'))).toBe('302 /queue/concert');
    line.failure = AWAY;
    await pass(1);
    expect(summarize(await ask('/shop/concert/'))).toBe('302 /queue/concert');
  });

  it('says so, in both languages and with a time to retry, instead of sending visitors to a dead page', async () => {
    const { line, pass, ask } = await createWorld([]);
    line.failure = AWAY;
    await pass(3);
    const refused = await ask('/shop/concert/', { more: { 'accept-language': 'ko' } });
    if (refused.outcome === 'pass') throw new Error('it passed');
    const page = toAnswer(refused);
    expect(page.status).toBe(503);
    expect(page.headers).toMatchObject({ 'retry-after': '10', 'cache-control': 'no-store' });
    expect(page.body).toMatch(/지금은 입장할 수 없습니다[\s\S]*You cannot enter right now/);
    const api = await ask('/api/concert/seats');
    if (api.outcome === 'pass') throw new Error('it passed');
    const answer = toAnswer(api);
    expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': '10' } });
    expect(JSON.parse(answer.body)).toMatchObject({ error: { code: 'LINE_UNAVAILABLE' } });
  });

  it('lets nobody pass by default, however long the line is away', async () => {
    const { line, pass, ask, opened } = await createWorld([{ eventId: 'concert', followsHealth: true }]);
    line.failure = AWAY;
    await pass(600);
    expect(summarize(await ask('/shop/concert/'))).toBe('503 LINE_UNAVAILABLE');
    expect(opened).toEqual([]);
  });

  it('still lets admitted visitors pass, also under strict rules', async () => {
    const { line, pass, ask, entry } = await createWorld([]);
    line.failure = AWAY;
    await pass(10);
    const sent = { who: 'mina', entryToken: entry() };
    expect(summarize(await ask('/shop/concert/', sent))).toBe('pass');
    expect(summarize(await ask('/api/concert/seats', sent))).toBe('pass');
  });

  it('opens after the configured time, lets the trickle pass with marked passes, and closes when the line is back', async () => {
    const { line, pass, ask, opened, reports } = await createWorld();
    line.failure = AWAY;
    await pass(5);
    expect(summarize(await ask('/shop/concert/'))).toBe('503 LINE_UNAVAILABLE');
    await pass(1);
    expect(opened).toEqual(['concert']);
    const first = await ask('/shop/concert/seats?a=1');
    if (first.outcome !== 'pass') throw new Error('it was refused');
    expect(first).toMatchObject({ target: '/shop/concert/seats?a=1', eventId: 'concert' });
    expect(toPassHeaders(first)).toMatchObject({ 'x-fairline-event': 'concert', 'x-fairline-pass': 'fail-open' });
    expect(first.setCookies[0]).toMatch(/^fairline-open-pass=[\w.-]+; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax$/);
    expect(summarize(await ask('/shop/concert/'))).toBe('pass');
    expect(summarize(await ask('/shop/concert/'))).toBe('503 LINE_UNAVAILABLE');
    await pass(1);
    expect(summarize(await ask('/shop/concert/'))).toBe('pass');
    expect(summarize(await ask('/shop/other/')), 'a room that has not asked for it').toBe('503 LINE_UNAVAILABLE');
    line.failure = undefined;
    await pass(1);
    expect(reports).toMatchObject([{ eventId: 'concert', passed: 3, perSecond: 2 }]);
    expect(reports[0]!.openedAt - reports[0]!.downSince).toBe(5_000);
    expect(summarize(await ask('/shop/concert/'))).toBe('302 /queue/concert');
    const again = await ask('/shop/concert/', { more: { cookie: cookieOf(first.setCookies) } });
    expect(again, 'who has a pass shops on').toMatchObject({ outcome: 'pass', kind: 'fail-open', setCookies: [] });
  });

  it('closes after the longest time of one outage, and the passes run out soon after', async () => {
    const { line, pass, ask, reports, clock } = await createWorld();
    line.failure = AWAY;
    await pass(6);
    const first = await ask('/shop/concert/');
    if (first.outcome !== 'pass') throw new Error('it was refused');
    const cookie = cookieOf(first.setCookies);
    await pass(120);
    expect(summarize(await ask('/shop/concert/'))).toBe('503 LINE_UNAVAILABLE');
    expect(reports).toHaveLength(1);
    expect(summarize(await ask('/shop/concert/', { more: { cookie } }))).toBe('pass');
    clock.advance(300_000 + 6_000);
    expect(summarize(await ask('/shop/concert/', { more: { cookie } }))).toBe('503 LINE_UNAVAILABLE');
  });

  it('gives a pass for one event and one visitor only', async () => {
    const { line, pass, ask } = await createWorld();
    line.failure = AWAY;
    await pass(7);
    const mina = await ask('/shop/concert/', { who: 'mina' });
    const phone = await ask('/shop/concert/', { device: 'phone' });
    if (mina.outcome !== 'pass' || phone.outcome !== 'pass') throw new Error('it was refused');
    expect(mina.visitor).toBe('mina');
    const cookie = cookieOf(mina.setCookies);
    const other = { more: { cookie } };
    expect(summarize(await ask('/shop/concert/', { who: 'mina', ...other }))).toBe('pass');
    expect(summarize(await ask('/shop/concert/', { who: 'jun', ...other }))).toBe('503 LINE_UNAVAILABLE');
    expect(summarize(await ask('/shop/concert/', other))).toBe('503 LINE_UNAVAILABLE');
    expect(summarize(await ask('/shop/other/', { who: 'mina', ...other }))).toBe('503 LINE_UNAVAILABLE');
    const onDevice = (device: string) => ({ cookie: `device=${device}; ${cookieOf(phone.setCookies)}` });
    expect(summarize(await ask('/shop/concert/', { more: onDevice('phone') }))).toBe('pass');
    expect(summarize(await ask('/shop/concert/', { more: onDevice('tablet') }))).toBe('503 LINE_UNAVAILABLE');
  });

  it('lets no banned visitor pass, with a pass or without, and says why', async () => {
    const bans = [{ eventId: 'concert', visitor: 'mina' }];
    const { line, pass, ask, watch } = await createWorld(undefined, { bans });
    expect(summarize(await ask('/shop/concert/', { who: 'mina' })), 'the line says it').toBe('302 /queue/concert');
    line.failure = AWAY;
    await pass(7);
    expect(watch.downSince()).toBeDefined();
    expect(summarize(await ask('/shop/concert/', { who: 'mina' }))).toBe('403 BANNED');
    expect(summarize(await ask('/api/concert/seats', { who: 'mina' }))).toBe('403 BANNED');
    expect(summarize(await ask('/shop/concert/', { who: 'jun' }))).toBe('pass');
    const anybody = await ask('/shop/concert/');
    if (anybody.outcome !== 'pass') throw new Error('it was refused');
    const more = { cookie: cookieOf(anybody.setCookies) };
    expect(summarize(await ask('/shop/concert/', { more }))).toBe('pass');
    expect(summarize(await ask('/shop/concert/', { who: 'mina', more })), 'a pass of nobody').toBe('403 BANNED');
    expect(summarize(await ask('/cart', { who: 'jun', more }))).toBe('pass');
    expect(summarize(await ask('/cart', { who: 'mina', more })), 'only the pass names the event').toBe('403 BANNED');
  });

  it('accepts no entry token as a pass, and no forged or altered pass', async () => {
    const { line, pass, ask, entry } = await createWorld();
    line.failure = AWAY;
    await pass(7);
    const first = await ask('/shop/concert/');
    if (first.outcome !== 'pass') throw new Error('it was refused');
    await ask('/shop/concert/');
    const token = cookieOf(first.setCookies).slice(OPEN_PASS_COOKIE.length + 1);
    for (const wrong of [entry(), `${token}A`, token.slice(0, -2), 'fail-open', '']) {
      const sent = { who: 'mina', more: { cookie: `${OPEN_PASS_COOKIE}=${wrong}` } };
      expect(summarize(await ask('/shop/concert/', sent)), wrong).toBe('503 LINE_UNAVAILABLE');
    }
  });

  it('does not open because the line refuses the gate, or because the gate itself stood still', async () => {
    const { line, pass, ask, watch, clock } = await createWorld();
    line.failure = new LineStatusError('GET /gate/rooms returned status 401', 401);
    await pass(60);
    expect(summarize(await ask('/shop/concert/'))).toBe('302 /queue/concert');
    line.failure = AWAY;
    const standing = watch.look();
    clock.advance(3_600_000);
    await standing;
    expect(summarize(await ask('/shop/concert/'))).toBe('302 /queue/concert');
    line.failure = new LineStatusError('GET /gate/rooms returned status 503', 503);
    await pass(7);
    expect(summarize(await ask('/shop/concert/'))).toBe('pass');
  });
});

describe('the trickle of an outage', () => {
  const setting = fc.record({
    afterSeconds: fc.integer({ min: 1, max: 60 }),
    forMinutes: fc.integer({ min: 1, max: 5 }),
    perSecond: fc.constantFrom(0.1, 0.5, 1, 3, 20),
  });

  it('never exceeds its bound, with any number of workers and any arrivals', () => {
    const gaps = fc.array(fc.constantFrom(0, 1, 50, 900, 1_000, 5_000, 60_000), { maxLength: 300 });
    fc.assert(
      fc.property(setting, fc.integer({ min: 1, max: 8 }), gaps, (one, workers, arrivals) => {
        const share = 1 / workers;
        const openedAt = one.afterSeconds * 1_000;
        const buckets = Array.from({ length: workers }, () => createBucket(one, openedAt, share));
        let now = openedAt;
        let passed = 0;
        for (const [i, gap] of arrivals.entries()) {
          now += gap;
          if (stateAt(one, { downSince: 0, now }) !== 'open') break;
          if (tryTake(buckets[i % workers]!, one, now, share)) passed += 1;
          const bound = (one.perSecond * (now - openedAt)) / 1_000 + Math.max(1, one.perSecond);
          expect(passed).toBeLessThanOrEqual(bound + 1e-6);
        }
      }),
    );
  });

  it.each([0.5, 1, 3])('saves up nothing in a pause: at %d per second, few pass at once after it', (perSecond) => {
    const one = { afterSeconds: 1, forMinutes: 5, perSecond };
    const bucket = createBucket(one, 0, 1);
    const countAtOnce = (now: number) =>
      Array.from({ length: 50 }, () => tryTake(bucket, one, now, 1)).filter(Boolean).length;
    expect([0, 120_000].map(countAtOnce)).toEqual([Math.max(1, perSecond), Math.max(1, perSecond)]);
  });

  it('uses the whole rate if there are enough visitors', () => {
    const one = { afterSeconds: 1, forMinutes: 1, perSecond: 3 };
    const bucket = createBucket(one, 0, 1);
    let passed = 0;
    for (let now = 0; now <= 60_000; now += 20) if (tryTake(bucket, one, now, 1)) passed += 1;
    expect(passed).toBe(183);
  });
});
