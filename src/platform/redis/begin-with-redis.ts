/**
 * The check of a Redis server or cluster as a step of the beginning: when it comes, and whenever it comes back, because it
 * may come back with other settings or without our scripts.
 */
import type { Logger } from 'pino';
import type { Beginning } from '../concurrency/beginning.ts';
import { checkServer } from './check-server.ts';
import { awaitReady, toUsabilityError } from './connection.ts';
import { preloadScripts, type RedisClient } from './scripts.ts';
import { RedisAwayError, UnusableRedisError } from './unusable-redis-error.ts';

const STEP = 'Redis';
const READY_WITHIN_MS = 3_000;

export interface RedisBeginning {
  beginning: Beginning;
  /** The store that uses this connection, as the other steps name it. */
  store: string;
  client: RedisClient;
  log: Logger;
}

export function beginWithRedis({ beginning, store, client, log }: RedisBeginning): void {
  let isAwaited = false;
  const again = () => {
    if (!isAwaited) beginning.again(STEP);
  };
  client.on('ready', again);
  // Of a cluster: a server that took over from another one.
  client.on('+node', again);
  beginning.add({
    name: STEP,
    store,
    async run() {
      isAwaited = true;
      try {
        await awaitReady(client, READY_WITHIN_MS, { failsAtOnce: true });
      } finally {
        isAwaited = false;
      }
      try {
        await checkServer(client, log);
        await preloadScripts(client);
      } catch (error) {
        throw toUsabilityError(error);
      }
    },
    isHopeless: (error) => error instanceof UnusableRedisError && !(error instanceof RedisAwayError),
  });
}
