import { Redis } from 'ioredis';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import type { LineStore } from '../../../src/line/store/line-store.ts';
import { RedisLineStore } from '../../../src/line/store/redis/redis-line-store.ts';
import { entryKey } from '../../../src/line/store/redis/scripts/keys.ts';
import { StoreUnavailableError } from '../../../src/platform/store-unavailable-error.ts';
import { type LossyProxy, startLossyProxy } from '../../support/lossy-proxy.ts';
import { describeWithRedis, type RedisServer, startRedis } from '../../support/redis-server.ts';
import { testRoomDefaults } from '../../support/rooms.ts';
import { openRedisStore } from './open-redis-store.ts';

describeWithRedis('the Redis store after a lost reply', () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(() => server?.stop());

  async function openThroughProxy(eventId: string, maxActive: number) {
    const proxy = await startLossyProxy(server.port);
    onTestFinished(() => proxy.close());
    const store = await openRedisStore({ url: `redis://127.0.0.1:${proxy.port}` });
    await store.putRoom(eventId, { maxActive, batchSize: 2 });
    return { proxy, store };
  }

  it('gives a repeated join one place and no second number (3, 8)', async () => {
    const { proxy, store } = await openThroughProxy('join', 0);
    expect(await losing(proxy, () => store.join('join', 'a'))).toMatchObject({ standing: { number: 1, position: 1 } });
    expect(await store.join('join', 'b')).toMatchObject({ outcome: 'joined', standing: { number: 2, position: 2 } });
  });

  it('reports a repeated keyed join as joined, not as a duplicate of itself (8)', async () => {
    const { proxy, store } = await openThroughProxy('keyed', 0);
    const request = { key: 'k', fingerprint: 'f' };
    // The first script notes the key, the second joins.
    proxy.loseEach(2, 'evalsha');
    const joined = await store.join('keyed', 'a', { request });
    proxy.loseEach(0, '');
    expect(proxy.lost).toBe(1);
    expect(joined).toMatchObject({ outcome: 'joined', standing: { number: 1 } });
    expect(await store.join('keyed', 'a', { request })).toMatchObject({
      outcome: 'duplicate',
      standing: { number: 1 },
    });
  });

  it('does not use up a key by claiming it twice (8)', async () => {
    const { proxy, store } = await openThroughProxy('noted', 0);
    const joined = await losing(proxy, () => store.join('noted', 'a', { request: { key: 'n', fingerprint: 'f' } }));
    expect(joined).toMatchObject({ outcome: 'joined', standing: { number: 1 } });
  });

  it('reports a repeated join as joined, and a second one as already (8)', async () => {
    const { proxy, store } = await openThroughProxy('told', 0);
    expect(await losing(proxy, () => store.join('told', 'a'))).toMatchObject({ outcome: 'joined' });
    expect(await losing(proxy, () => store.join('told', 'a'))).toMatchObject({ outcome: 'already' });
  });

  it('reports a repeated join with a number of tier 1 as joined, and a second one as already (8)', async () => {
    const { proxy, store } = await openThroughProxy('numbered', 0);
    const join = () => losing(proxy, () => store.joinWithNumber('numbered', 'a', 7));
    expect(await join()).toMatchObject({ outcome: 'joined', standing: { number: 7 } });
    expect(await join()).toMatchObject({ outcome: 'already', standing: { number: 7 } });
    expect(await losing(proxy, () => store.joinWithNumber('numbered', 'b', 7))).toEqual({ outcome: 'used' });
  });

  it('makes no second place for a visitor who left before their join was repeated (3, 8)', async () => {
    const direct = await openRedisStore({ url: server.url });
    await direct.putRoom('left', { maxActive: 0 });
    const store = await openRepeating(server, () => direct.leave('left', 'a'));
    expect(await store.join('left', 'a')).toMatchObject({ outcome: 'joined', standing: { state: 'absent' } });
    expect((await direct.findRoom('left'))?.crowd).toMatchObject({ waiting: 0 });
    expect(await direct.join('left', 'a')).toMatchObject({ outcome: 'joined', standing: { number: 2 } });
  });

  it.each([2, 3, 5])('counts each place once as joined when every %d. reply is lost (8)', async (k) => {
    const eventId = `counted-${k}`;
    const { proxy, store } = await openThroughProxy(eventId, 3);
    proxy.loseEach(k, 'evalsha');
    let joined = 0;
    const count = async (join: Promise<{ outcome: string }>) => {
      if ((await join).outcome === 'joined') joined += 1;
    };
    // In each round some come twice at once, some have come before, and some only look.
    for (let round = 0; round < 30; round += 1) {
      const join = (i: number, priority = false) => count(store.join(eventId, `v${i}`, { priority }));
      const first = 8 * round;
      const joins = Array.from({ length: 10 }, (_, i) => join(first + i, i % 3 === 0));
      await Promise.all([join(first), store.look(eventId, `v${first}`), ...joins, join(first + 9), join(first - 3)]);
    }
    proxy.loseEach(0, '');
    expect(proxy.lost).toBeGreaterThanOrEqual(30 / k);
    const places = (await store.join(eventId, 'last')) as { standing: { number: number } };
    expect(joined).toBe(places.standing.number - 1);
    expect(joined).toBe(8 * 30 + 2 + 1);
  });

  it('begins one session when enter is repeated (6, 8)', async () => {
    const { proxy, store } = await openThroughProxy('enter', 1);
    await store.putRoom('enter', { admission: 'claim' });
    await store.join('enter', 'a');
    const entered = await losing(proxy, () => store.enter('enter', 'a'));
    expect(entered).toMatchObject({ outcome: 'granted', standing: { state: 'active', number: 1 } });
    expect((await store.findRoom('enter'))?.crowd).toMatchObject({ admitted: 0, active: 1 });
  });

  it('admits one batch, not two, when a tick is repeated, and still reports it (1, 8)', async () => {
    const { proxy, store } = await openThroughProxy('tick', 0);
    for (const visitor of ['a', 'b', 'c', 'd', 'e']) await store.join('tick', visitor);
    await store.putRoom('tick', { maxActive: 10 });
    const tick = await losing(proxy, () => store.tick('tick'));
    const admitted = [
      { visitor: 'a', number: 1 },
      { visitor: 'b', number: 2 },
    ];
    expect(tick).toMatchObject({ admitted, pulse: { crowd: { waiting: 3, admitted: 2 } } });
    expect((await store.findRoom('tick'))?.crowd).toMatchObject({ waiting: 3, admitted: 2, active: 0 });
  });

  it('changes settings once when put is repeated, and reports the previous ones (8)', async () => {
    const { proxy, store } = await openThroughProxy('put', 3);
    proxy.loseEach(2, 'evalsha');
    const put = await store.putRoom('put', { maxActive: 4 });
    proxy.loseEach(0, '');
    expect(proxy.lost).toBe(1);
    expect(put).toMatchObject({ outcome: 'changed', before: { maxActive: 3 }, room: { overrides: { maxActive: 4 } } });
  });

  it('leaves, disconnects, looks, sweeps and clears with the same result when repeated (8)', async () => {
    const { proxy, store } = await openThroughProxy('other', 1);
    for (const visitor of ['a', 'b', 'c']) await store.join('other', visitor);
    await losing(proxy, () => store.leave('other', 'b'));
    await losing(proxy, () => store.disconnect('other', 'c'));
    await losing(proxy, () => store.sweep('other'));
    expect(await losing(proxy, () => store.look('other', 'c'))).toMatchObject({ standing: { number: 3, position: 1 } });
    expect((await store.findRoom('other'))?.crowd).toMatchObject({ waiting: 1, active: 1 });
    await losing(proxy, () => store.clear('other'));
    expect((await store.findRoom('other'))?.crowd).toMatchObject({ waiting: 0, active: 0 });
  });

  it.each([2, 3, 4, 5, 7, 11])(
    'loses, doubles or admits no place twice when every %d. reply is lost (1, 3, 8)',
    async (k) => {
      const eventId = `each-${k}`;
      const { proxy, store } = await openThroughProxy(eventId, 5);
      const visitors = Array.from({ length: 30 }, (_, i) => `v${i}`);
      proxy.loseEach(k, 'evalsha');
      const admitted: number[] = [];
      for (const visitor of visitors) await insist(() => store.join(eventId, visitor));
      for (let i = 0; i < 4; i += 1) {
        for (const visitor of visitors.slice(i * 5, i * 5 + 5)) await insist(() => store.leave(eventId, visitor));
        for (let batch = 0; batch < 3; batch += 1) admitted.push(...(await admit(store, eventId)));
        await insist(() => store.look(eventId, visitors[29]!));
      }
      proxy.loseEach(0, '');
      expect(proxy.lost).toBeGreaterThan(0);
      // Five went straight in at the start; four times five left and as many came after them, in order.
      expect(admitted).toEqual(Array.from({ length: 20 }, (_, i) => i + 6));
      expect(await numbersInStream(server, eventId)).toEqual(admitted);
      expect((await store.findRoom(eventId))?.crowd).toMatchObject({ waiting: 5, admitted: 5, active: 0 });
      expect(await store.join(eventId, 'late')).toMatchObject({ standing: { number: 31 } });
    },
  );
});

/** A store that loses the reply to its first script and, after `between`, sends it again. */
async function openRepeating(server: RedisServer, between: () => Promise<unknown>) {
  const client = new Redis(server.url);
  const send = client.evalsha.bind(client) as (...args: unknown[]) => Promise<unknown>;
  let isLost = false;
  Object.assign(client, {
    async evalsha(...args: unknown[]) {
      const reply = await send(...args);
      if (isLost) return reply;
      isLost = true;
      await between();
      return send(...args);
    },
  });
  const log = pino({ level: 'silent' });
  const store = await RedisLineStore.open({ client, defaults: testRoomDefaults(), tickMs: 1_000, log });
  onTestFinished(() => store.close());
  return store;
}

/** Runs `call` with the reply to its first script lost. */
async function losing<T>(proxy: LossyProxy, call: () => Promise<T>): Promise<T> {
  const before = proxy.lost;
  proxy.loseReplyTo('evalsha');
  const outcome = await insist(call);
  expect(proxy.lost).toBe(before + 1);
  return outcome;
}

/** Repeats blindly, as the port allows, until there is an answer. */
async function insist<T>(call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
}

async function admit(store: LineStore, eventId: string): Promise<number[]> {
  const tick = await insist(() => store.tick(eventId));
  return tick.outcome === 'ticked' ? tick.admitted.map(({ number }) => number) : [];
}

async function numbersInStream(server: RedisServer, eventId: string): Promise<number[]> {
  const client = new Redis(server.url);
  const entries = await client.xrange(entryKey(eventId), '-', '+');
  client.disconnect();
  return entries.map(([, fields]) => Number(fields[3]));
}
