/** Sessions at every kind of gate: who is there stays in, who is not is out on time, and the site can end a session. */
import { describe, expect, it } from 'vitest';
import { createEdgeGuard } from '../../../src/gate/fetch/edge-gate.ts';
import { until } from '../../support/until.ts';
import { ask } from '../proxy/run-gate.ts';
import { gates, openWorld, optionsOf, type SessionWorld, type StartGate } from './session-world.ts';

const THANKS = '/shop/concert/thanks';

async function openGate(start: StartGate, room = {}) {
  const world = await openWorld(room);
  const { url } = await start(world);
  const mina = world.visitor('mina');
  expect(await mina.join()).toBe('active');
  return { ...world, url, mina };
}

/** The time of the line goes on, tick by tick. */
async function pass(world: SessionWorld, ms: number): Promise<void> {
  world.clock.advance(ms);
  await world.context.line.admissions.tick('concert');
}

describe.each(Object.entries(gates))('sessions at the %s', (_name, start) => {
  it('go on while the visitor makes requests, and end at activeMaxTtlMs', async () => {
    const world = await openGate(start);
    const visits: string[] = [];
    for (let seconds = 0; seconds < 50; seconds += 2) {
      visits.push(await world.mina.visit(world.url));
      await pass(world, 2_000);
    }
    // 40 s are the longest session; a token is accepted for 5 s longer unless the line has said that it has ended.
    expect(visits.slice(0, 20)).toEqual(Array(20).fill('200'));
    expect(visits.slice(23)).toEqual(Array(2).fill('302 /queue/concert'));
    expect(world.mina.cookies.get('cart'), 'the cookie of the site').toBe('7');
  });

  it('end on time without requests, and the slot is free', async () => {
    const world = await openGate(start, { maxActive: 1 });
    expect(await world.mina.visit(world.url)).toBe('200');
    await until('the sign of life', async () => (await insideUntil(world)) === world.clock.now() + 8_000);
    const jun = world.visitor('jun');
    expect(await jun.join()).toBe('queued');
    await pass(world, 7_999);
    expect(await insideUntil(world)).toBeGreaterThan(0);
    await pass(world, 1);
    expect(await jun.join()).toBe('active');
    await pass(world, 5_000);
    expect(await world.mina.visit(world.url)).toBe('302 /queue/concert');
  });

  it('are not renewed by an API, unless its rule says so', async () => {
    const world = await openGate(start);
    await pass(world, 6_000);
    expect(await world.mina.visit(world.url, '/api/orders/concert')).toBe('200');
    await pass(world, 2_000);
    expect(await insideUntil(world)).toBe(0);
  });

  it('end when the site says so: the slot is free, the token refused, the header hidden', async () => {
    const world = await openGate(start, { maxActive: 1 });
    const jun = world.visitor('jun');
    expect(await jun.join()).toBe('queued');
    const token = world.mina.cookies.get('urr-entry-token')!;
    expect(await world.mina.visit(world.url, THANKS)).toBe('200');
    expect(world.mina.cookies.has('urr-entry-token'), 'the token is removed').toBe(false);
    await until('the next visitor to be admitted', async () => {
      await pass(world, 1);
      return (await jun.join()) === 'active';
    });
    world.mina.cookies.set('urr-entry-token', token);
    expect(await world.mina.visit(world.url)).toBe('302 /queue/concert');
    expect(await world.mina.visit(world.url, '/api/orders/concert'), 'a plain rule').toBe('403 /queue/concert');
  });

  it('are refused once the line has reported that they have ended, also under plain rules', async () => {
    const world = await openGate(start);
    const token = world.mina.cookies.get('urr-entry-token')!;
    expect(await world.mina.visit(world.url)).toBe('200');
    await world.context.line.visits.leave('concert', 'mina');
    await pass(world, 1_000);
    await until('the gate to know', async () => (await world.mina.visit(world.url)) === '302 /queue/concert');
    world.mina.cookies.set('urr-entry-token', token);
    expect(await world.mina.visit(world.url, '/api/orders/concert')).toBe('403 /queue/concert');
    await world.mina.join();
    expect(await world.mina.visit(world.url), 'a new admission has a new token').toBe('200');
  });

  it('give a renewed token in a header to a visitor who sends it in a header', async () => {
    const world = await openGate(start);
    const token = world.mina.cookies.get('urr-entry-token')!;
    world.mina.cookies.clear();
    await pass(world, 6_000);
    const headers = { ...world.mina.headers(), 'x-queue-entry-token': token };
    const response = await ask(world.url, '/shop/concert/seats', { headers });
    const renewed = String(response.headers['x-queue-entry-token']);
    expect(world.context.entryTokens.verify(renewed)!.expiresAt).toBe(world.clock.now() + 8_000);
    expect(response.headers['set-cookie']).toContainEqual(expect.stringContaining(`urr-entry-token=${renewed}`));
  });
});

describe('a gate whose line is away', () => {
  it.each(['fairline gate', 'Express middleware', 'fetch handler'])(
    'passes visitors for the time of their tokens, and catches up: %s',
    async (name) => {
      const world = await openGate(gates[name]!);
      expect(await world.mina.visit(world.url)).toBe('200');
      await until('the sign of life', () => world.reports.length === 1);
      world.outage.isOn = true;
      await pass(world, 6_000);
      expect(await world.mina.visit(world.url)).toBe('200');
      await pass(world, 1_000);
      expect(await world.mina.visit(world.url)).toBe('200');
      world.outage.isOn = false;
      await until('the line to be told', async () => {
        expect(await world.mina.visit(world.url)).toBe('200');
        return (await insideUntil(world)) === world.clock.now() + 8_000;
      });
      expect(await world.mina.visit(world.url), 'with the renewed token').toBe('200');
      await pass(world, 7_000);
      expect(await world.mina.visit(world.url)).toBe('200');
    },
  );
});

describe('the calls of a gate', () => {
  it('are few: a thousand visitors with many requests are reported once each in a tenth of the session', async () => {
    const world = await openWorld({ maxActive: 2_000, activeTtlMs: 600_000, activeMaxTtlMs: 3_600_000 });
    const guard = createEdgeGuard(optionsOf(world));
    const requests = await Promise.all(
      Array.from({ length: 1_000 }, async (_, i) => {
        const { standing } = (await world.context.line.visits.join('concert', `visitor ${i}`)) as never;
        const token = world.context.entryTokens.issue('concert', `visitor ${i}`, standing);
        const headers = { authorization: `Bearer ${world.userToken(`visitor ${i}`)}`, 'x-queue-entry-token': token };
        return { method: 'GET', target: '/shop/concert/', headers };
      }),
    );
    const signs = () => world.reports.reduce((sum, { seen }) => sum + seen.length, 0);
    for (const expected of [1_000, 2_000]) {
      for (let round = 0; round < 5; round += 1) {
        const decisions = await Promise.all(requests.map((request) => guard.decide(request)));
        expect(decisions.every(({ outcome }) => outcome === 'pass')).toBe(true);
      }
      await until('all signs to arrive', () => signs() >= expected);
      await guard.settled();
      expect(signs()).toBe(expected);
      world.clock.advance(60_000);
    }
  });

  it('use the configured service key, and are refused with another one', async () => {
    const world = await openWorld();
    const mina = world.visitor('mina');
    await mina.join();
    const guard = createEdgeGuard({ ...optionsOf(world), serviceKey: 'another-key-of-32-characters-000000000' });
    const decision = await guard.decide({ method: 'GET', target: '/shop/concert/', headers: mina.headers() });
    await guard.settled();
    expect(decision.outcome).toBe('pass');
    expect(world.reports).toEqual([]);
  });
});

/** When the session of mina ends; 0: it has ended. */
async function insideUntil(world: SessionWorld): Promise<number> {
  const found = await world.context.line.visits.find('concert', 'mina');
  return found.outcome === 'found' && found.standing.state === 'active' ? found.standing.expiresAt : 0;
}
