import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { RedisLineStore, type RedisLineStoreOptions } from '../../../src/line/store/redis/redis-line-store.ts';
import { createRedisClient } from '../../../src/platform/redis/connect.ts';
import type { RedisAddress } from '../../../src/platform/redis/redis-address.ts';
import { testRoomDefaults } from '../../support/rooms.ts';

/** A store on a connection of its own, closed when the test is over. */
export async function openRedisStore(
  address: RedisAddress,
  options: Partial<Omit<RedisLineStoreOptions, 'client'>> = {},
): Promise<RedisLineStore> {
  const store = await RedisLineStore.open({
    client: createRedisClient(address),
    defaults: testRoomDefaults(),
    tickMs: 1_000,
    log: pino({ level: 'silent' }),
    ...options,
  });
  onTestFinished(() => store.close());
  return store;
}
