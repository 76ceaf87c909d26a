/** Lifecycle of a store's Redis connection: ready, faulty, recovered, closed. */

import type { Logger } from 'pino';
import type { RedisClient } from './scripts.ts';
import { RedisAwayError, UnusableRedisError } from './unusable-redis-error.ts';

const READY_WITHIN_MS = 10_000;
/** What a server says to a client that it will never serve with this configuration. */
const REFUSED = /\b(?:WRONGPASS|NOAUTH|NOPERM|ERR invalid password|ERR DB index)\b/;

export interface AwaitReadyOptions {
  /** Whether the first error ends the wait. By default the client goes on trying until the time is over. */
  failsAtOnce?: boolean;
}

/** Rejects with the last connection error if Redis is not ready in time. */
export async function awaitReady(
  client: RedisClient,
  withinMs = READY_WITHIN_MS,
  { failsAtOnce = false }: AwaitReadyOptions = {},
): Promise<void> {
  if (isReady(client)) return;
  const lastError = await becomesReady(client, withinMs, failsAtOnce);
  if (isReady(client)) return;
  const reason = lastError === undefined ? `no answer in ${withinMs} ms` : reasonOf(lastError);
  const kind = lastError !== undefined && REFUSED.test(reason) ? UnusableRedisError : RedisAwayError;
  throw new kind(`Redis cannot be reached: ${reason}`);
}

/** A function, because the compiler does not know that the status changes while we wait. */
function isReady({ status }: RedisClient): boolean {
  return status === 'ready';
}

/** Not events.once, which rejects at the first error: reconnecting starts with errors. Resolves with the last of them. */
function becomesReady(client: RedisClient, withinMs: number, failsAtOnce: boolean): Promise<Error | undefined> {
  return new Promise((resolve) => {
    let lastError: Error | undefined;
    let nodeError: Error | undefined;
    const finish = () => {
      clearTimeout(timer);
      client.off('error', note);
      client.off('node error', noteNode);
      client.off('ready', finish);
      client.off('end', finish);
      resolve(nodeError ?? lastError);
    };
    const note = (error: Error) => {
      lastError = error;
      if (failsAtOnce) finish();
    };
    // A cluster says only that all its servers failed; each of them says why.
    const noteNode = (error: Error, address: string) => {
      nodeError = new Error(`no server of the cluster answers; ${address}: ${reasonOf(error)}`);
    };
    const timer = setTimeout(finish, withinMs);
    client.on('error', note);
    client.on('node error', noteNode);
    client.once('ready', finish);
    client.once('end', finish);
  });
}

/** A connection refused on several addresses has no message. */
function reasonOf(error: Error & { code?: string }): string {
  return error.message === '' ? (error.code ?? error.name) : error.message;
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
