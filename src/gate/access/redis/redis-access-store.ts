/** The live access list in Redis, shared by all processes. */
import { randomUUID } from 'node:crypto';
import type { Clock } from '../../../platform/clock.ts';
import type { RedisClient } from '../../../platform/redis/scripts.ts';
import { toStoreError } from '../../../platform/redis/store-errors.ts';
import { type AccessStore, toGroupText, toKeyText } from '../access-store.ts';
import { isCurrent, type LiveEntry, MOST_ENTRIES, MOST_PER_GROUP, parseLiveEntry } from '../live-entries.ts';
import { ACCESS_ENTRIES_KEY, ACCESS_VERSION_KEY } from './scripts/keys.ts';
import { putEntry } from './scripts/put-entry.ts';
import { removeEntry } from './scripts/remove-entry.ts';

/** Before the first change. */
const NO_VERSION = 'none';

/** `client` is closed by its owner. */
export function createRedisAccessStore(client: RedisClient, clock: Clock): AccessStore {
  const readAll = async (): Promise<LiveEntry[]> =>
    Object.values(await client.hgetall(ACCESS_ENTRIES_KEY)).flatMap((json) => parseLiveEntry(json) ?? []);

  return {
    read: (known) =>
      guard(async () => {
        // First, so that entries are never older than their version: a change in between is read once more.
        const version = (await client.get(ACCESS_VERSION_KEY)) ?? NO_VERSION;
        return version === known ? undefined : { version, entries: await readAll() };
      }),
    put: (entry, { onlyNew = false } = {}) =>
      guard(async () => {
        const now = clock.now();
        const expired = (await readAll()).filter((one) => !isCurrent(one, now)).map(toKeyText);
        return putEntry(client, {
          version: randomUUID(),
          field: toKeyText(entry),
          json: JSON.stringify(entry),
          prefix: toGroupText(entry),
          mostPerGroup: MOST_PER_GROUP,
          most: MOST_ENTRIES,
          onlyNew,
          expired,
        });
      }),
    remove: (key) => guard(() => removeEntry(client, randomUUID(), toKeyText(key))),
    close: async () => {},
  };
}

async function guard<T>(command: () => Promise<T>): Promise<T> {
  try {
    return await command();
  } catch (error) {
    throw toStoreError(error);
  }
}
