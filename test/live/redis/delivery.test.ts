import type { Cluster, Redis } from 'ioredis';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import type { RedisLineStore } from '../../../src/line/store/redis/redis-line-store.ts';
import { entryKey } from '../../../src/line/store/redis/scripts/keys.ts';
import { Dispatcher } from '../../../src/live/redis/dispatcher.ts';
import { runReaperOnce } from '../../../src/live/redis/reaper.ts';
import { RedisAdmissionFeed } from '../../../src/live/redis/redis-admission-feed.ts';
import { toInstances } from '../../../src/live/redis/scripts/instance-list.ts';
import { whereKey } from '../../../src/live/redis/scripts/keys.ts';
import { createRedisClient } from '../../../src/platform/redis/connect.ts';
import { awaitReady } from '../../../src/platform/redis/connection.ts';
import type { RedisAddress } from '../../../src/platform/redis/redis-address.ts';
import { openRedisStore } from '../../line/redis/open-redis-store.ts';
import { describeWithRedis, type RedisServer, startRedis, startRedisCluster } from '../../support/redis-server.ts';
import { until } from '../../support/until.ts';

const log = pino({ level: 'silent' });

/** Instances and dispatchers on one Redis, with their own room in which nobody is admitted yet. */
async function createDelivery(address: RedisAddress, eventId: string) {
  const client = await connect(address);
  const store = await openRedisStore(address);
  await store.putRoom(eventId, { maxActive: 0 });
  const listActiveEvents = async () => [eventId];
  const createDispatcher = () => new Dispatcher({ client, entryKey, listActiveEvents, claimAfterMs: 100 });

  async function createInstance() {
    const heard: string[] = [];
    const feed = new RedisAdmissionFeed({ client, connect: () => createRedisClient(address), log });
    await feed.start((_eventId, visitors) => heard.push(...visitors));
    onTestFinished(() => feed.stop());
    return { feed, heard, connect: (visitor: string) => connectVisitor(feed, visitor) };
  }
  /** Before the first heartbeat is done, a connection is written later. */
  async function connectVisitor(feed: RedisAdmissionFeed, visitor: string): Promise<void> {
    await feed.connected(eventId, visitor);
    await until(`${visitor} to be known`, async () => {
      const where = await client.hget(whereKey(eventId), visitor);
      return toInstances(where).includes(feed.instanceId);
    });
  }
  async function letIn(visitors: string[]): Promise<void> {
    for (const visitor of visitors) await store.join(eventId, visitor);
    await store.putRoom(eventId, { maxActive: visitors.length });
    await store.tick(eventId);
  }
  return { client, store, createInstance, createDispatcher, letIn };
}

async function connect(address: RedisAddress): Promise<Redis | Cluster> {
  const client = createRedisClient(address);
  client.on('error', () => {});
  await awaitReady(client);
  onTestFinished(() => client.disconnect());
  return client;
}

/** Like a killed process: everything stops, and its heartbeat has expired. */
async function killInstance(client: Redis | Cluster, { feed }: { feed: RedisAdmissionFeed }): Promise<void> {
  await feed.stop();
  await client.sadd('queue:instances', feed.instanceId);
  await client.xadd(`dispatch:{${feed.instanceId}}`, '*', 'eventId', 'e', 'visitors', '[]');
}

function describeDelivery(getAddress: () => RedisAddress): void {
  it('delivers each admission to the instance with the connection, and to no other', async () => {
    const { client, createInstance, createDispatcher, letIn } = await createDelivery(getAddress(), 'delivered');
    const [one, two] = [await createInstance(), await createInstance()];
    await one.connect('a');
    await two.connect('b');
    await two.connect('c');
    await letIn(['a', 'b', 'c', 'connected-nowhere']);
    await createDispatcher().runOnce();
    await until('the news', () => one.heard.length + two.heard.length === 3);
    expect([one.heard, two.heard]).toEqual([['a'], ['b', 'c']]);
    await until('it to be taken out', async () => (await client.xlen(`dispatch:{${one.feed.instanceId}}`)) === 0);
    expect(await createDispatcher().runOnce()).toBe('done');
    expect(await client.xpending('{delivered}:entry', 'dispatchers')).toMatchObject([0, null, null, null]);
  });

  it('reports whether a closed connection was the last on all live instances', async () => {
    const { client, createInstance } = await createDelivery(getAddress(), 'moved');
    const [one, two, dead] = [await createInstance(), await createInstance(), await createInstance()];
    for (const instance of [one, two, dead]) await instance.connect('a');
    await killInstance(client, dead);
    expect(await two.feed.disconnected('moved', 'a')).toBe(false);
    expect(await one.feed.disconnected('moved', 'a')).toBe(true);
    expect(await client.exists('{moved}:where')).toBe(0);
    await one.connect('a');
    expect(await one.feed.disconnected('moved', 'a')).toBe(true);
  });

  it('delivers to every instance where the visitor has a stream', async () => {
    const { createInstance, createDispatcher, letIn } = await createDelivery(getAddress(), 'twice');
    const [one, two] = [await createInstance(), await createInstance()];
    for (const instance of [one, two, two]) await instance.connect('a');
    await letIn(['a']);
    await createDispatcher().runOnce();
    await until('the news', () => one.heard.length > 0 && two.heard.length > 0);
    expect([one.heard, two.heard]).toEqual([['a'], ['a']]);
  });

  it('claims what a dispatcher read and did not finish', async () => {
    const { client, createInstance, createDispatcher, letIn } = await createDelivery(getAddress(), 'unfinished');
    const instance = await createInstance();
    await instance.connect('a');
    await createDispatcher().runOnce();
    await letIn(['a']);
    const args = ['GROUP', 'dispatchers', 'dead', 'COUNT', 10, 'STREAMS', '{unfinished}:entry', '>'] as const;
    expect(await client.xreadgroup(...args)).toHaveLength(1);
    const dispatcher = createDispatcher();
    await until('the news', async () => {
      await dispatcher.runOnce();
      return instance.heard.length === 1;
    });
  });

  it('removes a dead instance and its visitors', async () => {
    const { client, createInstance, createDispatcher, letIn } = await createDelivery(getAddress(), 'dead');
    const [dead, living] = [await createInstance(), await createInstance()];
    await dead.connect('a');
    await dead.connect('b');
    await living.connect('b');
    await killInstance(client, dead);
    await letIn(['a', 'b']);
    await createDispatcher().runOnce();
    await until('the news', () => living.heard.length === 1);
    expect(await client.hgetall('{dead}:where')).toEqual({ b: living.feed.instanceId });
    await runReaperOnce({ client, log });
    expect(await client.smembers('queue:instances')).toContain(living.feed.instanceId);
    expect(await client.smembers('queue:instances')).not.toContain(dead.feed.instanceId);
    expect(await client.exists(`dispatch:{${dead.feed.instanceId}}`)).toBe(0);
  });
}

describeWithRedis('delivery through one Redis server', () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(() => server?.stop());
  describeDelivery(() => ({ url: server.url }));

  it('waits for hints without polling', async () => {
    const { client, createInstance, createDispatcher, letIn } = await createDelivery(server, 'quiet');
    const instance = await createInstance();
    await instance.connect('a');
    await letIn(['a']);
    await createDispatcher().runOnce();
    await until('the news', () => instance.heard.length === 1);
    const before = await countReads(client as Redis);
    await until('a few readings', async () => (await countReads(client as Redis)) - before >= 2);
    const startedAt = performance.now();
    const from = await countReads(client as Redis);
    await until('one more', async () => (await countReads(client as Redis)) > from);
    expect(performance.now() - startedAt).toBeGreaterThan(500);
  });

  it('writes the whereabouts again once Redis is back, even if it lost everything', async () => {
    const forgetful = await startRedis();
    onTestFinished(() => forgetful.stop());
    const { client, store, createInstance, createDispatcher, letIn } = await createDelivery(forgetful, 'outage');
    const instance = await createInstance();
    await instance.connect('a');
    await forgetful.kill();
    await until('the outage to be noticed', () => client.status !== 'ready');
    await instance.feed.connected('outage', 'b');
    await forgetful.start();
    const where = () => client.hgetall('{outage}:where').catch(() => ({}));
    await until('both to be known', async () => Object.keys(await where()).length === 2);
    await isBack(store);
    await store.putRoom('outage', { maxActive: 0 });
    await letIn(['a', 'b']);
    await createDispatcher().runOnce();
    await until('the news', () => instance.heard.length === 2);
  });
});

describeWithRedis('delivery through a cluster', () => {
  let cluster: Awaited<ReturnType<typeof startRedisCluster>>;
  beforeAll(async () => {
    cluster = await startRedisCluster();
  });
  afterAll(() => cluster?.stop());
  describeDelivery(() => ({ cluster: cluster.addresses }));
});

async function countReads(client: Redis): Promise<number> {
  const stats = await client.info('commandstats');
  return Number(/cmdstat_xread:calls=(\d+)/.exec(stats)?.[1] ?? 0);
}

async function isBack(store: RedisLineStore): Promise<void> {
  await until('the store to be back', () => store.fault() === undefined);
}
