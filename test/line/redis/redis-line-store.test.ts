import { Cluster, type Redis } from 'ioredis';
import { afterAll, beforeAll } from 'vitest';
import { createRedisClient } from '../../../src/platform/redis/connect.ts';
import type { RedisAddress } from '../../../src/platform/redis/redis-address.ts';
import { describeWithRedis, startRedis, startRedisCluster } from '../../support/redis-server.ts';
import { createTestClock } from '../../support/test-clock.ts';
import { until } from '../../support/until.ts';
import { describeClaimSale } from '../claim-sale.ts';
import { describeDraws } from '../draw-contract.ts';
import { describeLanes } from '../lane-contract.ts';
import { describeLineStore, type StoreHarness } from '../line-store-contract.ts';
import { openRedisStore } from './open-redis-store.ts';

describeWithRedis('on one Redis server', () => {
  let server: Awaited<ReturnType<typeof startRedis>>;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(() => server?.stop());
  describeLineStore('the Redis store', () => createHarness(() => ({ url: server.url })));
  describeDraws('the Redis store', () => createHarness(() => ({ url: server.url })));
  describeClaimSale('the Redis store', () => createHarness(() => ({ url: server.url })));
  describeLanes('the Redis store', () => createHarness(() => ({ url: server.url })), 60);
});

describeWithRedis('on a cluster of three masters and three replicas', () => {
  let cluster: Awaited<ReturnType<typeof startRedisCluster>>;
  beforeAll(async () => {
    cluster = await startRedisCluster();
  });
  afterAll(() => cluster?.stop());
  describeLineStore('the Redis store', () => createHarness(() => ({ cluster: cluster.addresses })));
  describeDraws('the Redis store', () => createHarness(() => ({ cluster: cluster.addresses })));
  describeLanes('the Redis store', () => createHarness(() => ({ cluster: cluster.addresses })), 20);
  describeLineStore('the Redis store, waiting for a replica', () =>
    createHarness(() => ({ cluster: cluster.addresses }), 1),
  );
});

function createHarness(address: () => RedisAddress, waitReplicas = 0): StoreHarness {
  const clock = createTestClock();
  return {
    async open(defaults) {
      await flush(address());
      return openRedisStore(address(), { defaults, waitReplicas, now: () => clock.now() });
    },
    async advance(ms) {
      clock.advance(ms);
    },
  };
}

async function flush(address: RedisAddress): Promise<void> {
  const client = createRedisClient(address);
  await until('a connection', () => client.status === 'ready');
  const nodes = client instanceof Cluster ? client.nodes('master') : [client as Redis];
  await Promise.all(nodes.map((node) => node.flushall()));
  client.disconnect();
}
