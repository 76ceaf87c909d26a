import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ranksToMeasure } from '../../../src/line/estimate/ruler.ts';
import { describeWithRedis, type RedisServer, startRedis } from '../../support/redis-server.ts';
import { openRedisStore } from './open-redis-store.ts';

describeWithRedis('a line shared by several processes', () => {
  let server: RedisServer;
  let client: Redis;
  beforeAll(async () => {
    server = await startRedis();
    client = new Redis(server.url);
  });
  afterAll(async () => {
    client?.disconnect();
    await server?.stop();
  });

  it('creates no key for events without a room (9)', async () => {
    const store = await openRedisStore(server);
    const before = await client.dbsize();
    await store.join('unknown', 'a');
    await store.look('unknown', 'a');
    await store.tick('unknown');
    await store.sweep('unknown');
    await store.clear('unknown');
    await store.putRoom('unknown', { burst: 5 });
    expect(await client.dbsize()).toBe(before);
  });

  it('keeps the order of one process’s calls, although joins are batched', async () => {
    const store = await openRedisStore(server);
    await store.putRoom('order', { maxActive: 0 });
    const [joined, left, again] = await Promise.all([
      store.join('order', 'a'),
      store.leave('order', 'a'),
      store.join('order', 'a'),
    ]);
    expect(joined).toMatchObject({ outcome: 'joined', standing: { number: 1 } });
    expect(left).toEqual({ outcome: 'left', from: 'waiting' });
    expect(again).toMatchObject({ outcome: 'joined', standing: { number: 2 } });
  });

  it('applies all of many concurrent changes, and mirrors the threshold', async () => {
    const [one, other] = [await openRedisStore(server), await openRedisStore(server)];
    await Promise.all([
      one.putRoom('changes', { maxActive: 7 }),
      other.putRoom('changes', { batchSize: 8 }),
      one.putRoom('changes', { claimTtlMs: 9_000 }),
      other.putRoom('changes', { renew: false }),
    ]);
    const overrides = { maxActive: 7, batchSize: 8, claimTtlMs: 9_000, renew: false };
    expect((await one.findRoom('changes'))?.overrides).toEqual(overrides);
    expect(await client.get('{changes}:threshold')).toBe('7');
    await one.putRoom('changes', { maxActive: null });
    expect(await client.get('{changes}:threshold')).toBeNull();
  });

  it('admits nobody twice and never too many when several processes tick at once (1)', async () => {
    const stores = await Promise.all(Array.from({ length: 4 }, () => openRedisStore(server)));
    await stores[0]!.putRoom('crowded', { maxActive: 0, batchSize: 3 });
    await Promise.all(Array.from({ length: 40 }, (_, i) => stores[i % 4]!.join('crowded', `v${i}`)));
    await stores[0]!.putRoom('crowded', { maxActive: 10 });
    const ticks = await Promise.all(stores.map((store) => store.tick('crowded')));
    const admitted = ticks.flatMap((tick) => (tick.outcome === 'ticked' ? tick.admitted : []));
    expect(new Set(admitted.map(({ visitor }) => visitor)).size).toBe(10);
    expect((await stores[1]!.findRoom('crowded'))?.crowd).toMatchObject({ admitted: 10, waiting: 30 });
  });

  it('lists an event as active only while it has visitors', async () => {
    const store = await openRedisStore(server);
    await store.putRoom('listed', { maxActive: 1 });
    expect(await store.listActiveEvents()).not.toContain('listed');
    await store.join('listed', 'a');
    await store.tick('listed');
    expect(await store.listActiveEvents()).toContain('listed');
    await store.leave('listed', 'a');
    await store.tick('listed');
    expect(await store.listActiveEvents()).not.toContain('listed');
    expect((await store.listRooms()).map(({ eventId }) => eventId)).toContain('listed');
  });

  it('gives the lock of a room to one admitter at a time', async () => {
    const [one, other] = [await openRedisStore(server), await openRedisStore(server)];
    const lock = await one.tryLockAdmission('locked');
    expect(lock).toBeDefined();
    expect(await other.tryLockAdmission('locked')).toBeUndefined();
    await lock!.release();
    expect(await other.tryLockAdmission('locked')).toBeDefined();
    await lock!.release();
    expect(await one.tryLockAdmission('locked')).toBeUndefined();
  });

  it('handles a long line: measures, ticks and sweeps in bounded steps, and releases its memory', async () => {
    let now = Date.UTC(2026, 0, 1);
    const store = await openRedisStore(server, { now: () => now });
    await store.putRoom('long', { maxActive: 0, batchSize: 10_000, seenTtlMs: 20_000, claimTtlMs: 20_000 });
    const length = 150_000;
    for (let i = 0; i < length; i += 10_000) {
      await Promise.all(Array.from({ length: 10_000 }, (_, j) => store.join('long', `visitor-${i + j + 1}`)));
    }
    const ranks = ranksToMeasure(length);
    expect(await store.tick('long')).toMatchObject({ pulse: { ruler: { ranks, numbers: ranks } } });

    await store.putRoom('long', { maxActive: 3_000 });
    expect(await store.tick('long')).toMatchObject({ more: true, admitted: { length: 1_000 } });
    expect(await store.tick('long')).toMatchObject({ more: true, admitted: { length: 1_000 } });
    expect(await store.tick('long')).toMatchObject({ more: false, admitted: { length: 1_000 } });

    now += 19_999;
    await store.look('long', 'visitor-140000');
    now += 1;
    let sweeps = 1;
    for (let swept = await store.sweep('long'); 'more' in swept && swept.more; sweeps += 1)
      swept = await store.sweep('long');
    expect(sweeps).toBeGreaterThan(100);
    expect((await store.findRoom('long'))?.crowd).toMatchObject({ waiting: 1, admitted: 0 });
    await store.putRoom('long', { maxActive: 0 });
    await store.tick('long');
    expect(await client.strlen('{long}:seen')).toBe(16 * (length - 140_000 + 1));
    expect(await store.look('long', 'visitor-140000')).toMatchObject({ standing: { number: 140_000 } });
  });
});
