/** The Redis stores, shared by any number of processes. */
import type { RedisConfig } from '../config/store-settings.ts';
import { createRedisAccessStore } from '../gate/access/redis/redis-access-store.ts';
import { RedisLineStore } from '../line/store/redis/redis-line-store.ts';
import { createRedisLotSources } from '../line/store/redis/redis-lot-sources.ts';
import { entryKey } from '../line/store/redis/scripts/keys.ts';
import { RulerWatch } from '../line/store/ruler-watch.ts';
import { Dispatcher } from '../live/redis/dispatcher.ts';
import { runReaperOnce } from '../live/redis/reaper.ts';
import { RedisAdmissionFeed } from '../live/redis/redis-admission-feed.ts';
import { stopwatch } from '../platform/clock.ts';
import { beginWithRedis } from '../platform/redis/begin-with-redis.ts';
import { createRedisClient } from '../platform/redis/connect.ts';
import { RedisTier1Store } from '../tier1/store/redis/redis-tier1-store.ts';
import type { Stores, StoresOptions } from './stores.ts';

/** Does not wait for Redis: its check is a step of the beginning. */
export function openRedisStores({ config, beginning, log, clock }: StoresOptions, redis: RedisConfig): Stores {
  const { address, waitReplicas } = redis;
  const { roomDefaults, admissionIntervalMs: tickMs } = config.line;
  const client = createRedisClient(address);
  const store = RedisLineStore.create({ client, defaults: roomDefaults, tickMs, log, waitReplicas });
  beginWithRedis({ beginning, store: 'line', client, log });
  const tier1 = new RedisTier1Store({ client, placeTtlMs: config.tier1.placeTtlMs });
  const visits = new RulerWatch({ visits: store, admissions: store, clock: stopwatch, log, tickMs });
  const listActiveEvents = () => store.listActiveEvents();
  const dispatcher = new Dispatcher({ client, entryKey, listActiveEvents });
  return {
    store,
    tier1,
    lotSources: createRedisLotSources(client),
    access: createRedisAccessStore(client, clock),
    visits,
    forgetPlace: (eventId, visitor) => visits.forget(eventId, visitor),
    feed: new RedisAdmissionFeed({ client, connect: () => createRedisClient(address), log }),
    // The dispatcher notifies the process that holds the visitor's stream.
    onAdmitted() {},
    delivery: {
      dispatch: () => dispatcher.runOnce(),
      reap: () => runReaperOnce({ client, log }),
    },
    async close() {
      visits.stop();
      await tier1.close();
      await store.close();
    },
  };
}
