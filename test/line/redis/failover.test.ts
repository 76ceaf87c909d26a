import type { Cluster } from 'ioredis';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createRedisClient } from '../../../src/platform/redis/connect.ts';
import { StoreUnavailableError } from '../../../src/platform/store-unavailable-error.ts';
import { describeWithRedis, type RedisCluster, startRedisCluster } from '../../support/redis-server.ts';
import { until } from '../../support/until.ts';
import { openRedisStore } from './open-redis-store.ts';

describeWithRedis('a cluster whose master dies', () => {
  let cluster: RedisCluster;
  beforeAll(async () => {
    cluster = await startRedisCluster();
  });
  afterAll(() => cluster?.stop());

  it('keeps every confirmed place, and the line continues without intervention (4)', async () => {
    const store = await openRedisStore({ cluster: cluster.addresses }, { waitReplicas: 1 });
    await store.putRoom('concert', { maxActive: 0 });
    const acknowledged = new Map<string, number>();
    const join = async (visitor: string) => {
      const outcome = await store.join('concert', visitor);
      if (outcome.outcome === 'joined' && outcome.standing.state === 'waiting') {
        acknowledged.set(visitor, outcome.standing.number);
      }
    };
    await Promise.all(Array.from({ length: 300 }, (_, i) => join(`before-${i}`)));
    await killMasterOf(cluster, '{concert}:room');
    // With its only replica promoted there is none left to wait for, so joins are refused though they are done.
    const during = await Promise.allSettled(Array.from({ length: 20 }, (_, i) => join(`during-${i}`)));
    for (const result of during) {
      if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(StoreUnavailableError);
    }
    await until('the replica to take over', () => store.findRoom('concert').catch(() => false as const));
    expect(acknowledged.size).toBeGreaterThanOrEqual(300);
    for (const [visitor, number] of acknowledged) {
      expect(await store.look('concert', visitor)).toMatchObject({ standing: { state: 'waiting', number } });
    }
    await store.putRoom('concert', { maxActive: 1 });
    expect(await store.tick('concert')).toMatchObject({ admitted: [{ number: 1 }] });
  });
});

async function killMasterOf(cluster: RedisCluster, key: string): Promise<void> {
  const client = createRedisClient({ cluster: cluster.addresses }) as Cluster;
  await until('a connection', () => client.status === 'ready');
  const slot = Number(await client.cluster('KEYSLOT', key));
  const ranges = await client.cluster('SLOTS');
  client.disconnect();
  const [, , master] = ranges.find(([from, to]) => from <= slot && slot <= to)!;
  const port = master?.[1];
  await cluster.servers.find((server) => server.port === port)!.kill();
}
