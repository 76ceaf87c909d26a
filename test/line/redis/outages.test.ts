import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { StoreUnavailableError } from '../../../src/platform/store-unavailable-error.ts';
import { describeWithRedis, type RedisServer, startRedis } from '../../support/redis-server.ts';
import { until } from '../../support/until.ts';
import { openRedisStore } from './open-redis-store.ts';

describeWithRedis('the Redis store through outages', () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedis('--appendonly', 'yes', '--appendfsync', 'always');
  });
  afterAll(() => server?.stop());

  it('loads its scripts again after SCRIPT FLUSH', async () => {
    const store = await openRedisStore(server);
    await store.putRoom('forgetful', { maxActive: 1 });
    await store.join('forgetful', 'a');
    const client = new Redis(server.url);
    await client.script('FLUSH');
    client.disconnect();
    expect(await store.join('forgetful', 'b')).toMatchObject({ standing: { state: 'waiting', number: 2 } });
    expect(await store.tick('forgetful')).toMatchObject({ outcome: 'ticked' });
  });

  it('fails fast while Redis is down, and recovers with every place kept (4)', async () => {
    const store = await openRedisStore(server);
    await store.putRoom('outage', { maxActive: 1 });
    for (const visitor of ['a', 'b', 'c']) await store.join('outage', visitor);
    await server.kill();
    onTestFinished(() => server.start());
    for (const call of verbs(store, 'outage')) await expectRefusal(call, 1_500);
    await until('the store to notice', () => store.fault() !== undefined);
    for (const call of verbs(store, 'outage')) await expectRefusal(call, 1_500);

    await server.start();
    await until('the store to recover', () => store.fault() === undefined);
    expect(await store.look('outage', 'a')).toMatchObject({ standing: { state: 'active', number: 1 } });
    expect(await store.look('outage', 'c')).toMatchObject({ standing: { state: 'waiting', number: 3, position: 2 } });
    expect(await store.join('outage', 'd')).toMatchObject({ standing: { number: 4, position: 3 } });
  });

  it('fails fast while the server hangs, and recovers when it continues', async () => {
    const store = await openRedisStore(server);
    await store.putRoom('hang', { maxActive: 0 });
    server.pause();
    onTestFinished(() => server.resume());
    await expectRefusal(() => store.join('hang', 'a'), 4_000);
    server.resume();
    await until('an answer', () => store.look('hang', 'b').then(Boolean, () => false));
    // The join whose answer was given up may have been done late; either way the visitor has one place.
    await store.join('hang', 'a');
    expect((await store.findRoom('hang'))?.crowd.waiting).toBe(1);
  });

  it('refuses a server with an eviction policy, and says what to change', async () => {
    const evicting = await startRedis('--maxmemory', '100mb', '--maxmemory-policy', 'allkeys-lru');
    onTestFinished(() => evicting.stop());
    await expect(openRedisStore(evicting)).rejects.toThrow(/maxmemory-policy allkeys-lru.*noeviction/);
  });

  it('reports a full server, and keeps every place', async () => {
    const full = await startRedis('--maxmemory', '100mb');
    onTestFinished(() => full.stop());
    const store = await openRedisStore(full);
    await store.putRoom('full', { maxActive: 0 });
    await store.join('full', 'a');
    const client = new Redis(full.url);
    await client.config('SET', 'maxmemory', '1');
    await expect(store.join('full', 'b')).rejects.toThrow(StoreUnavailableError);
    await client.config('SET', 'maxmemory', '0');
    client.disconnect();
    expect(await store.join('full', 'b')).toMatchObject({ standing: { number: 2, position: 2 } });
  });

  it('does not confirm a join that too few replicas have', async () => {
    const store = await openRedisStore(server, { waitReplicas: 1 });
    await store.putRoom('alone', { maxActive: 0 });
    await expect(store.join('alone', 'a')).rejects.toThrow(/0 of 1 replicas/);
  });

  it('refuses to open without a Redis server', async () => {
    const nowhere = openRedisStore({ url: 'redis://127.0.0.1:1' }, { readyWithinMs: 500 });
    await expect(nowhere).rejects.toThrow(/cannot be reached.*ECONNREFUSED/);
  });
});

type Store = Awaited<ReturnType<typeof openRedisStore>>;

function verbs(store: Store, eventId: string): (() => Promise<unknown>)[] {
  return [
    () => store.join(eventId, 'a'),
    () => store.look(eventId, 'a'),
    () => store.leave(eventId, 'a'),
    () => store.disconnect(eventId, 'a'),
    () => store.tick(eventId),
    () => store.findPulse(eventId),
    () => store.listRooms(),
    () => store.putRoom(eventId, { maxActive: 3 }),
  ];
}

async function expectRefusal(call: () => Promise<unknown>, withinMs: number): Promise<void> {
  const startedAt = performance.now();
  await expect(call()).rejects.toThrow(StoreUnavailableError);
  expect(performance.now() - startedAt).toBeLessThan(withinMs);
}
