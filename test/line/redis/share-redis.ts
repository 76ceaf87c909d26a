import type { Redis } from 'ioredis';
import { afterAll, beforeAll } from 'vitest';
import { createRedisClient } from '../../../src/platform/redis/connect.ts';
import { type RedisServer, startRedis } from '../../support/redis-server.ts';
import { until } from '../../support/until.ts';

/** One Redis for the tests of a suite, and a client of its own to look at it; both are there once the tests run. */
export function shareRedis(): { url(): string; client(): Redis } {
  let server: RedisServer;
  let client: Redis;
  beforeAll(async () => {
    server = await startRedis();
    client = createRedisClient({ url: server.url }) as Redis;
    await until('a connection', () => client.status === 'ready');
  });
  afterAll(async () => {
    client?.disconnect();
    await server?.stop();
  });
  return { url: () => server.url, client: () => client };
}
