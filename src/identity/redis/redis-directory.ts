/** The directory in Redis, for several processes without a database: one hash per kind. */
import { closeClient } from '../../platform/redis/connection.ts';
import type { RedisClient } from '../../platform/redis/scripts.ts';
import { toStoreError } from '../../platform/redis/store-errors.ts';
import type { DirectoryStore } from '../directory/directory-store.ts';
import { directoryKey } from './keys.ts';

export function createRedisDirectory(client: RedisClient): DirectoryStore {
  const toThrown = (error: unknown): never => {
    throw toStoreError(error);
  };
  return {
    async list(kind) {
      const values = await client.hgetall(directoryKey(kind)).catch(toThrown);
      return Object.entries(values).map(([id, value]) => ({ id, value: JSON.parse(value) }));
    },
    async create(kind, id, value) {
      return (await client.hsetnx(directoryKey(kind), id, JSON.stringify(value)).catch(toThrown)) === 1;
    },
    async put(kind, id, value) {
      await client.hset(directoryKey(kind), id, JSON.stringify(value)).catch(toThrown);
    },
    async remove(kind, id) {
      return (await client.hdel(directoryKey(kind), id).catch(toThrown)) === 1;
    },
    close: () => closeClient(client),
  };
}
