/** Begins on Redis as a process does. */
import pino from 'pino';
import { onTestFinished } from 'vitest';
// Its scripts are loaded when a process begins.
import '../../../src/line/store/redis/redis-line-store.ts';
import { Beginning } from '../../../src/platform/concurrency/beginning.ts';
import { beginWithRedis } from '../../../src/platform/redis/begin-with-redis.ts';
import { createRedisClient } from '../../../src/platform/redis/connect.ts';
import type { RedisAddress } from '../../../src/platform/redis/redis-address.ts';

/** Resolves if Redis can be used, else rejects with what ends the start. */
export async function begin(address: RedisAddress): Promise<void> {
  const client = createRedisClient(address);
  client.on('error', () => {});
  onTestFinished(() => client.disconnect());
  const log = pino({ level: 'silent' });
  const beginning = new Beginning({ log });
  onTestFinished(() => beginning.stop());
  beginWithRedis({ beginning, store: 'line', client, log });
  await beginning.firstTries(['line'], 10_000);
  const fault = beginning.faultOf('line');
  if (fault !== undefined) throw new Error(`waiting: ${fault}`);
}
