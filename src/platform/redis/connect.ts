/** Creates the client for the configured Redis server, cluster or group of sentinels. The only place that knows its options. */
import { Cluster, Redis, type RedisOptions } from 'ioredis';
import { readTlsFiles, type TlsOptions } from '../tls/tls-files.ts';
import { QuietSentinels } from './quiet-sentinels.ts';
import { parseNodes, type RedisAddress } from './redis-address.ts';
import type { RedisClient } from './scripts.ts';

const COMMAND_TIMEOUT_MS = 2_000;
const CONNECT_TIMEOUT_MS = 2_000;
/** Then the next server is asked who is master: one that hangs must not delay finding its successor. */
const SLOTS_TIMEOUT_MS = 500;
/** The same for sentinels. */
const SENTINEL_TIMEOUT_MS = 500;
/** Longer than any command may take, blocking ones included: a connection this silent is dead and is replaced. */
const SILENT_CONNECTION_MS = 2_500;
/** Joins must be possible again within half a second after Redis is back. */
const SLOWEST_RETRY_MS = 250;
const CLUSTER_PORT = 6_379;
const SENTINEL_PORT = 26_379;

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
  if ('url' in address) return connectToServer(address);
  return 'cluster' in address ? connectToCluster(address) : connectToMaster(address);
}

function connectToServer(address: Extract<RedisAddress, { url: string }>): Redis {
  return new Redis(address.url, {
    ...options,
    ...credentialsOf(address),
    ...tlsOf(address, address.url.startsWith('rediss:')),
    enableOfflineQueue: false,
    retryStrategy: retryDelayMs,
  });
}

function connectToCluster(address: Extract<RedisAddress, { cluster: string }>): Cluster {
  const { nodes, isTls, ...inUrl } = parseNodes(address.cluster, CLUSTER_PORT);
  const tls = tlsOf(address, isTls);
  return new Cluster(nodes, {
    enableOfflineQueue: false,
    clusterRetryStrategy: retryDelayMs,
    slotsRefreshTimeout: SLOTS_TIMEOUT_MS,
    // Certificates are for names, and by default the names of nodes are replaced by their addresses.
    ...('tls' in tls ? { dnsLookup: (host, done) => done(null, host) } : {}),
    redisOptions: { ...options, ...credentialsOf({ ...inUrl, ...address }), ...tls },
  });
}

/** The master that the sentinels name. After a failover they tell the client, and it connects to the new one. */
function connectToMaster(address: Extract<RedisAddress, { sentinels: string }>): Redis {
  const { nodes, isTls, ...inUrl } = parseNodes(address.sentinels, SENTINEL_PORT);
  const tls = tlsOf(address, isTls);
  const sentinel = { username: address.sentinelUsername ?? inUrl.username, password: address.sentinelPassword };
  return new Redis({
    ...options,
    ...credentialsOf(address),
    ...tls,
    enableTLSForSentinelMode: 'tls' in tls,
    ...('tls' in tls && isTls !== false ? { sentinelTLS: tls.tls } : {}),
    sentinels: nodes,
    name: address.name,
    role: 'master',
    failoverDetector: true,
    Connector: QuietSentinels,
    ...(sentinel.username === '' ? {} : { sentinelUsername: sentinel.username }),
    sentinelPassword: sentinel.password ?? inUrl.password,
    sentinelCommandTimeout: SENTINEL_TIMEOUT_MS,
    sentinelRetryStrategy: retryDelayMs,
    sentinelReconnectStrategy: retryDelayMs,
    enableOfflineQueue: false,
    retryStrategy: retryDelayMs,
  });
}

function retryDelayMs(attempt: number): number {
  return Math.min(attempt * 50, SLOWEST_RETRY_MS);
}

type Credentials = Pick<RedisAddress, 'username' | 'password'>;

/** Those in a URL are read by the client itself. */
function credentialsOf({ username, password }: Credentials): Credentials {
  return {
    ...(username === undefined || username === '' ? {} : { username }),
    ...(password === undefined || password === '' ? {} : { password }),
  };
}

function tlsOf({ tls }: RedisAddress, isInUrl: boolean | undefined): { tls: TlsOptions } | Record<never, never> {
  if (tls === undefined) return isInUrl === true ? { tls: {} } : {};
  return { tls: readTlsFiles(tls) };
}
