import { Cluster, type Redis } from 'ioredis';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { createRedisClient } from '../../../src/platform/redis/connect.ts';
import type { RedisAddress } from '../../../src/platform/redis/redis-address.ts';
import { RedisTier1Store } from '../../../src/tier1/store/redis/redis-tier1-store.ts';
import { describeWithRedis, startRedis, startRedisCluster } from '../../support/redis-server.ts';
import { createTestClock } from '../../support/test-clock.ts';
import { until } from '../../support/until.ts';
import { describeTier1Store, type Tier1Harness } from '../tier1-store-contract.ts';

describeWithRedis('on one Redis server', () => {
  let server: Awaited<ReturnType<typeof startRedis>>;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(() => server?.stop());
  describeTier1Store('the Redis store', () => createHarness(() => ({ url: server.url })));
});

describeWithRedis('on a cluster of three masters and three replicas', () => {
  let cluster: Awaited<ReturnType<typeof startRedisCluster>>;
  beforeAll(async () => {
    cluster = await startRedisCluster();
  });
  afterAll(() => cluster?.stop());
  describeTier1Store('the Redis store', () => createHarness(() => ({ cluster: cluster.addresses })));
});

function createHarness(address: () => RedisAddress): Tier1Harness {
  const clock = createTestClock();
  return {
    async open() {
      const client = createRedisClient(address());
      await until('a connection', () => client.status === 'ready');
      const nodes = client instanceof Cluster ? client.nodes('master') : [client as Redis];
      await Promise.all(nodes.map((node) => node.flushall()));
      const store = new RedisTier1Store({ client, placeTtlMs: 60_000, now: () => clock.now() });
      onTestFinished(async () => {
        await store.close();
        client.disconnect();
      });
      return store;
    },
    advance: (ms) => clock.advance(ms),
  };
}
