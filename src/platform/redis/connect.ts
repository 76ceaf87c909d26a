/** Makes the client for the Redis server or cluster that the configuration names. */
import { Cluster, Redis, type RedisOptions } from 'ioredis';
import type { RedisClient } from './scripts.ts';

export type RedisAddress =
  /** redis:// or rediss://, as in REDIS_URL. */
  | { url: string }
  /** host:port,host:port, as in REDIS_CLUSTER: some nodes, from which the others are found. */
  | { cluster: string };

const COMMAND_TIMEOUT_MS = 2_000;
const CONNECT_TIMEOUT_MS = 2_000;
const SLOWEST_RETRY_MS = 1_000;

/**
 * Commands fail fast while Redis is away and nothing is queued for later: a visitor is better told to come again.
 * What was on its way when the connection broke is sent once more, which every script of ours allows.
 */
const options = {
  commandTimeout: COMMAND_TIMEOUT_MS,
  connectTimeout: CONNECT_TIMEOUT_MS,
  maxRetriesPerRequest: 1,
  autoResendUnfulfilledCommands: true,
  // A master that became a replica stays connected; only connecting anew leads to the one that took over.
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
    slotsRefreshTimeout: COMMAND_TIMEOUT_MS,
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
