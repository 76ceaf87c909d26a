/** Lifecycle of a store's Redis connection: ready, faulty, recovered, closed. */

import type { Logger } from 'pino';
import type { RedisClient } from './scripts.ts';
import { UnusableRedisError } from './unusable-redis-error.ts';

const READY_WITHIN_MS = 10_000;

/** Rejects with the last connection error if Redis is not ready in time. */
export async function awaitReady(client: RedisClient, withinMs = READY_WITHIN_MS): Promise<void> {
  if (client.status === 'ready') return;
  let lastError: Error | undefined;
  const remember = (error: Error) => {
    lastError = error;
  };
  client.on('error', remember);
  try {
    await becomesReady(client, withinMs);
  } catch {
    throw new UnusableRedisError(`Redis cannot be reached: ${lastError?.message ?? `no answer in ${withinMs} ms`}`);
  } finally {
    client.off('error', remember);
  }
}

/** Not events.once, which rejects at the first error: reconnecting starts with errors. */
function becomesReady(client: RedisClient, withinMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(reject, withinMs);
    client.once('ready', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** Logs one line when Redis becomes unreachable and one when it is back, however many commands fail in between. */
export function logFaults(client: RedisClient, log: Logger): void {
  let isAway = false;
  client.on('error', (error: Error) => {
    if (!isAway) log.warn({ err: error }, 'Redis is away');
    isAway = true;
  });
  client.on('ready', () => {
    if (isAway) log.info('Redis is back');
    isAway = false;
  });
}

export async function closeClient(client: RedisClient): Promise<void> {
  if (client.status === 'ready') await client.quit().catch(() => {});
  client.disconnect();
}
