/** Reads a sorted set while others change it: everyone who is in it all the time is found, and nothing is blocked. */
import { createRedisClient } from '../platform/redis/connect.ts';
import { awaitReady } from '../platform/redis/connection.ts';
import type { Member } from './waiting-set.ts';

export interface Source {
  /** redis:// or rediss://, without credentials. */
  url: string;
  password: string | undefined;
}

const MOST_MEMBERS = 2_000_000;
const AT_ONCE = 1_000;

export async function readMembers({ url, password }: Source, key: string): Promise<Member[]> {
  const client = createRedisClient({ url, ...(password !== undefined && { password }) });
  // Errors reach us by the commands.
  client.on('error', () => {});
  try {
    await awaitReady(client);
    const found = new Map<string, number>();
    let cursor = '0';
    do {
      const [next, flat] = await client.zscan(key, cursor, 'COUNT', AT_ONCE);
      for (let index = 0; index < flat.length; index += 2) found.set(flat[index]!, Number(flat[index + 1]));
      if (found.size > MOST_MEMBERS) throw new Error(`${key} has more than ${MOST_MEMBERS} members`);
      cursor = next;
    } while (cursor !== '0');
    return [...found].map(([text, score]) => ({ text, score }));
  } finally {
    client.disconnect();
  }
}
