/** The stores in Redis, which any number of processes share. */
import type { RedisConfig } from './config.ts';
import { RedisEdgeStore } from './edge/redis/redis-edge-store.ts';
import { entryKey } from './line/redis/keys.ts';
import { RedisLineStore } from './line/redis/redis-line-store.ts';
import { RulerWatch } from './line/ruler-watch.ts';
import { Dispatcher } from './live/redis/dispatcher.ts';
import { runReaperOnce } from './live/redis/reaper.ts';
import { RedisAdmissionFeed } from './live/redis/redis-admission-feed.ts';
import { createRedisClient } from './platform/redis/connect.ts';
import type { Stores, StoresOptions } from './stores.ts';

export async function openRedisStores({ config, log, clock }: StoresOptions, redis: RedisConfig): Promise<Stores> {
  const { address, waitReplicas } = redis;
  const { roomDefaults, admissionIntervalMs: tickMs } = config.line;
  const client = createRedisClient(address);
  const store = await RedisLineStore.open({ client, defaults: roomDefaults, tickMs, log, waitReplicas });
  const edge = new RedisEdgeStore({ client, placeTtlMs: config.edge.placeTtlMs });
  const listActiveEvents = () => store.listActiveEvents();
  const dispatcher = new Dispatcher({ client, entryKey, listActiveEvents });
  return {
    store,
    edge,
    watch: new RulerWatch({ store, clock, log, tickMs }),
    feed: new RedisAdmissionFeed({ client, connect: () => createRedisClient(address), log }),
    // Whoever holds the visitor's connection hears of it from the dispatcher.
    onAdmitted() {},
    delivery: {
      dispatch: () => dispatcher.runOnce(),
      reap: () => runReaperOnce({ client, log }),
    },
    async close() {
      await edge.close();
      await store.close();
    },
  };
}
