/** The life of the connection that a store uses: ready, faulty and back, closed. */

import type { Logger } from 'pino';
import type { RedisClient } from './scripts.ts';
import { UnusableRedisError } from './unusable-redis-error.ts';

const READY_WITHIN_MS = 10_000;

/** Rejects with the last thing that went wrong if Redis does not come up in time. */
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

/** Listens for itself: events.once would give up at the first error, and errors are what reconnecting begins with. */
function becomesReady(client: RedisClient, withinMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(reject, withinMs);
    client.once('ready', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** One line when Redis goes away and one when it is back, however many commands fail in between. */
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
