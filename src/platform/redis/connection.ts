/** Lifecycle of a store's Redis connection: ready, faulty, recovered, closed. */

import type { Logger } from 'pino';
import { explainByAsking, explainRedisError } from './explain-redis-error.ts';
import type { RedisClient } from './scripts.ts';
import { RedisAwayError, UnusableRedisError } from './unusable-redis-error.ts';

const READY_WITHIN_MS = 10_000;

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
  const failure = await becomesReady(client, withinMs, failsAtOnce);
  if (isReady(client)) return;
  const { error, address } = failure ?? {};
  const where = address === undefined ? '' : `no server of the cluster answers; ${address}: `;
  const reason = error === undefined ? `no answer in ${withinMs} ms` : `${where}${reasonOf(error)}`;
  const advice = error === undefined ? undefined : explainRedisError(error);
  if (advice !== undefined) throw new UnusableRedisError(toMessage(reason, advice));
  const found = await explainByAsking(client, error, address);
  if (found !== undefined) throw new UnusableRedisError(`Redis cannot be reached: ${found}`);
  throw new RedisAwayError(`Redis cannot be reached: ${reason}`);
}

/** For errors of commands: one that waiting does not help against becomes an UnusableRedisError that says what to do. */
export function toUsabilityError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof UnusableRedisError) return error;
  const advice = explainRedisError(error);
  return advice === undefined ? error : new UnusableRedisError(toMessage(reasonOf(error), advice));
}

function toMessage(reason: string, advice: string): string {
  return `Redis cannot be reached: ${reason.replace(/\.$/, '')}; ${advice}`;
}

/** A function, because the compiler does not know that the status changes while we wait. */
function isReady({ status }: RedisClient): boolean {
  return status === 'ready';
}

interface Failure {
  error: Error;
  /** Which of the servers of a cluster it was. */
  address?: string;
}

/** Not events.once, which rejects at the first error: reconnecting starts with errors. Resolves with the last of them. */
function becomesReady(client: RedisClient, withinMs: number, failsAtOnce: boolean): Promise<Failure | undefined> {
  return new Promise((resolve) => {
    let last: Failure | undefined;
    let ofNode: Failure | undefined;
    const finish = () => {
      clearTimeout(timer);
      client.off('error', note);
      client.off('node error', noteNode);
      client.off('sentinelError', noteSentinel);
      client.off('ready', finish);
      client.off('end', finish);
      resolve(ofNode ?? last);
    };
    const note = (error: Error) => {
      last = { error };
      if (failsAtOnce) finish();
    };
    // A cluster says only that all its servers failed; each of them says why. One that says what to do is kept.
    const noteNode = (error: Error, address: string) => {
      if (ofNode !== undefined && explainRedisError(ofNode.error) !== undefined) return;
      ofNode = { error, address };
    };
    const noteSentinel = (error: Error) => {
      ofNode = { error };
    };
    const timer = setTimeout(finish, withinMs);
    client.on('error', note);
    client.on('node error', noteNode);
    client.on('sentinelError', noteSentinel);
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
