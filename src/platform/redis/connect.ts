/** Creates the client for the configured Redis server or cluster. */
import { Cluster, Redis, type RedisOptions } from 'ioredis';
import type { RedisClient } from './scripts.ts';

export type RedisAddress =
  /** redis:// or rediss://, as in REDIS_URL. */
  | { url: string }
  /** host:port,host:port, as in REDIS_CLUSTER: some nodes; the client discovers the others. */
  | { cluster: string };

const COMMAND_TIMEOUT_MS = 2_000;
const CONNECT_TIMEOUT_MS = 2_000;
/** Then the next server is asked who is master: one that hangs must not delay finding its successor. */
const SLOTS_TIMEOUT_MS = 500;
/** Longer than any command may take, blocking ones included: a connection this silent is dead and is replaced. */
const SILENT_CONNECTION_MS = 2_500;
/** Joins must be possible again within half a second after Redis is back. */
const SLOWEST_RETRY_MS = 250;

/**
 * Commands fail fast while Redis is unreachable, and nothing is queued: a visitor is better served by a quick retry.
 * Commands under way when the connection broke are sent once more; all our scripts are safe to repeat.
 */
const options = {
  commandTimeout: COMMAND_TIMEOUT_MS,
  connectTimeout: CONNECT_TIMEOUT_MS,
  socketTimeout: SILENT_CONNECTION_MS,
  maxRetriesPerRequest: 1,
  autoResendUnfulfilledCommands: true,
  // A master that became a replica stays connected; only a new connection reaches its successor.
  reconnectOnError: (error) => error.message.startsWith('READONLY'),
  disableClientInfo: true,
} satisfies RedisOptions;

export function createRedisClient(address: RedisAddress): RedisClient {
  if ('url' in address) {
    return new Redis(address.url, { ...options, enableOfflineQueue: false, retryStrategy: retryDelayMs });
  }
  return new Cluster(address.cluster.split(',').map(toNode), {
    enableOfflineQueue: false,
    clusterRetryStrategy: retryDelayMs,
    slotsRefreshTimeout: SLOTS_TIMEOUT_MS,
    redisOptions: options,
  });
}

function retryDelayMs(attempt: number): number {
  return Math.min(attempt * 50, SLOWEST_RETRY_MS);
}

function toNode(address: string): { host: string; port: number } {
  const { hostname, port } = new URL(`redis://${address.trim()}`);
  return { host: hostname, port: Number(port || 6379) };
}
