/** Lot sources in Redis, added up over all processes. */
import type { RedisClient } from '../../../platform/redis/scripts.ts';
import { toStoreError } from '../../../platform/redis/store-errors.ts';
import { type LotSource, type LotSources, MOST_ADDRESSES, MOST_REPORTED } from '../lot-sources.ts';
import { addLotSources } from './scripts/add-lot-sources.ts';
import { lotSourcesKey, lotSourceTimesKey } from './scripts/keys.ts';

/** Nobody looks at the sources of a draw a month later. */
const KEEP_SECONDS = 30 * 86_400;

export function createRedisLotSources(client: RedisClient, mostAddresses = MOST_ADDRESSES): LotSources {
  const keysOf = (eventId: string): [string, string] => [lotSourcesKey(eventId), lotSourceTimesKey(eventId)];
  return {
    async add(eventId, sources) {
      const keys = keysOf(eventId);
      await guard(() => addLotSources(client, { keys, sources, mostAddresses, keepSeconds: KEEP_SECONDS }));
    },
    find: (eventId) =>
      guard(async () => {
        const [lots, times] = keysOf(eventId);
        const [sum, dropped] = (await client.hmget(times, ':lots', ':dropped')).map(Number) as [number, number];
        const addresses = (await client.zcard(lots)) + dropped;
        const singles = (await client.zcount(lots, 1, 1)) + dropped;
        return { lots: sum, addresses, singles, largest: await readLargest(client, lots, times) };
      }),
    async forget(eventId) {
      await guard(() => client.unlink(...keysOf(eventId)));
    },
  };
}

async function readLargest(client: RedisClient, lotsKey: string, timesKey: string): Promise<LotSource[]> {
  const pairs = await client.zrevrange(lotsKey, 0, MOST_REPORTED - 1, 'WITHSCORES');
  const names = pairs.filter((_, i) => i % 2 === 0);
  const times = names.length === 0 ? [] : await client.hmget(timesKey, ...names);
  return names.map((address, i) => {
    const [from = 0, to = 0] = (times[i] ?? '').split(' ').map(Number);
    return { address, lots: Number(pairs[2 * i + 1]), from, to };
  });
}

async function guard<T>(command: () => Promise<T>): Promise<T> {
  try {
    return await command();
  } catch (error) {
    throw toStoreError(error);
  }
}
