/** Settings of the stores of the line: Redis, or the journal of the embedded store. */
import { integer, onOff, text, url, type Values } from '../platform/settings/settings.ts';

export const storeSettings = {
  REDIS_URL: url({
    default: undefined,
    protocols: ['redis:', 'rediss:'],
    hasCredentials: true,
    allowed:
      'redis://[user:password@]host:port, or rediss:// for TLS; special characters in the password percent-encoded',
    about: 'Redis server that stores the lines. Required to run several processes.',
  }),
  REDIS_CLUSTER: text({
    default: undefined,
    pattern: /^[A-Za-z0-9._-]+:\d{1,5}(,\s*[A-Za-z0-9._-]+:\d{1,5})*$/,
    allowed: 'host:port of some nodes, separated by commas',
    about: 'Redis Cluster that stores the lines, instead of REDIS_URL.',
  }),
  REDIS_WAIT_REPLICAS: integer({
    default: 0,
    min: 0,
    max: 10,
    about: 'Replicas that must confirm a new place or an admission before the response is sent.',
  }),
  JOURNAL_SYNC: onOff({
    default: true,
    about:
      'Embedded store: sync the journal to disk before responding. When off, an acknowledged place survives a crash of ' +
      'the process but not of the machine.',
  }),
};

export interface RedisConfig {
  address: { url: string } | { cluster: string };
  waitReplicas: number;
}

export type StoreValues = Values<typeof storeSettings>;

/** undefined: embedded stores, everything in one process. */
export function toRedisConfig(values: StoreValues): RedisConfig | undefined {
  const { REDIS_URL, REDIS_CLUSTER: cluster, REDIS_WAIT_REPLICAS: waitReplicas } = values;
  if (REDIS_URL !== undefined) return { address: { url: REDIS_URL }, waitReplicas };
  return cluster === undefined ? undefined : { address: { cluster }, waitReplicas };
}

export function findStoreProblems({ REDIS_URL, REDIS_CLUSTER: cluster }: StoreValues): string[] {
  return REDIS_URL !== undefined && cluster !== undefined
    ? ['REDIS_URL and REDIS_CLUSTER are both set: set only one']
    : [];
}
