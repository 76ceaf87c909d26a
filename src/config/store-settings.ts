/** Settings of the stores of the line: Redis, or the journal of the embedded store. */
import { parseNodes, type RedisAddress, type RedisServers } from '../platform/redis/redis-address.ts';
import {
  filePath,
  integer,
  onOff,
  type Setting,
  secret,
  text,
  url,
  type Values,
} from '../platform/settings/settings.ts';
import type { TlsFiles } from '../platform/tls/tls-config.ts';
import { findTlsProblems } from '../platform/tls/tls-files.ts';

export const storeSettings = {
  REDIS_URL: url({
    default: undefined,
    protocols: ['redis:', 'rediss:'],
    hasCredentials: true,
    allowed:
      'redis://[user:password@]host:port, or rediss:// for TLS; special characters in the password percent-encoded',
    about: 'Redis server that stores the lines. Required to run several processes.',
  }),
  REDIS_CLUSTER: nodeList({
    allowed: 'host:port of some nodes, separated by commas, or all as rediss://[user:password@]host:port for TLS',
    about: 'Redis Cluster that stores the lines, instead of REDIS_URL.',
  }),
  REDIS_SENTINELS: nodeList({
    allowed: 'host:port of some sentinels, separated by commas, or all as rediss://[user:password@]host:port for TLS',
    about: 'Sentinels of the Redis server that stores the lines, instead of REDIS_URL (`docs/guides/redis.md`).',
  }),
  REDIS_SENTINEL_NAME: text({
    default: 'mymaster',
    pattern: /^[\w.-]{1,200}$/,
    allowed: 'letters, digits, ., _ and -',
    about: 'The master’s name in `sentinel monitor`.',
  }),
  REDIS_SENTINEL_USERNAME: text({
    default: undefined,
    pattern: /^\S+$/,
    allowed: 'a name',
    about: 'ACL user at the sentinels.',
  }),
  REDIS_SENTINEL_PASSWORD: secret({ minLength: 1, about: 'Password at the sentinels, if they require one.' }),
  REDIS_USERNAME: text({
    default: undefined,
    pattern: /^\S+$/,
    allowed: 'a name',
    about: 'ACL user at Redis, unless it is in the URL.',
  }),
  REDIS_PASSWORD: secret({ minLength: 1, about: 'Password at Redis, unless it is in the URL.' }),
  REDIS_TLS: onOff({
    default: false,
    defaultText: 'on with rediss://, else off',
    about: 'Connect to Redis, and to sentinels, over TLS. Sentinels given as redis:// are connected to without it.',
  }),
  REDIS_TLS_CA_FILE: filePath('CA certificates (PEM) to verify Redis with, instead of the system’s.'),
  REDIS_TLS_CERT_FILE: filePath('Client certificate (PEM), if Redis asks for one.'),
  REDIS_TLS_KEY_FILE: filePath('Private key (PEM) of REDIS_TLS_CERT_FILE.'),
  REDIS_TLS_SERVER_NAME: text({
    default: undefined,
    defaultText: 'the host that is connected to',
    pattern: /^[\w.*-]+$/,
    allowed: 'a host name',
    about: 'Name that the certificates of all servers must contain, if it is not their host.',
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
  address: RedisAddress;
  waitReplicas: number;
}

export type StoreValues = Values<typeof storeSettings>;

/** undefined: embedded stores, everything in one process. */
export function toRedisConfig(values: StoreValues): RedisConfig | undefined {
  const servers = toServers(values);
  if (servers === undefined) return undefined;
  const { REDIS_USERNAME: username, REDIS_PASSWORD: password } = values;
  const address: RedisAddress = {
    ...servers,
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    ...(isTls(values) && hasTlsSettings(values) ? { tls: toTlsFiles(values) } : {}),
  };
  return { address, waitReplicas: values.REDIS_WAIT_REPLICAS };
}

export function findStoreProblems(values: StoreValues): string[] {
  const { REDIS_URL, REDIS_CLUSTER, REDIS_SENTINELS, REDIS_PASSWORD } = values;
  const set = Object.entries({ REDIS_URL, REDIS_CLUSTER, REDIS_SENTINELS }).filter(([, value]) => value !== undefined);
  const names = set.map(([name]) => name);
  const isPasswordTwice = REDIS_PASSWORD !== undefined && [REDIS_URL, REDIS_CLUSTER].some(hasPassword);
  return [
    ...(names.length > 1 ? [`${names.join(' and ')} are ${names.length > 2 ? 'all' : 'both'} set: set only one`] : []),
    ...(isPasswordTwice ? [`REDIS_PASSWORD and a password in ${names[0]} are both set: set only one`] : []),
    ...findTlsProblems(toTlsFiles(values), isTls(values), 'REDIS_TLS=on, or rediss:// in the address'),
  ];
}

function toServers(values: StoreValues): RedisServers | undefined {
  if (values.REDIS_URL !== undefined) return { url: values.REDIS_URL };
  if (values.REDIS_CLUSTER !== undefined) return { cluster: values.REDIS_CLUSTER };
  if (values.REDIS_SENTINELS === undefined) return undefined;
  const { REDIS_SENTINEL_USERNAME: sentinelUsername, REDIS_SENTINEL_PASSWORD: sentinelPassword } = values;
  return {
    sentinels: values.REDIS_SENTINELS,
    name: values.REDIS_SENTINEL_NAME!,
    ...(sentinelUsername === undefined ? {} : { sentinelUsername }),
    ...(sentinelPassword === undefined ? {} : { sentinelPassword }),
  };
}

function isTls({ REDIS_TLS, REDIS_URL, REDIS_CLUSTER, REDIS_SENTINELS }: StoreValues): boolean {
  return REDIS_TLS || [REDIS_URL, REDIS_CLUSTER, REDIS_SENTINELS].some((servers) => servers?.startsWith('rediss:'));
}

/** rediss:// alone needs no settings of TLS. */
function hasTlsSettings(values: StoreValues): boolean {
  const { stem: _, ...files } = toTlsFiles(values);
  return values.REDIS_TLS || Object.values(files).some((value) => value !== undefined);
}

function toTlsFiles(values: StoreValues): TlsFiles {
  return {
    stem: 'REDIS_TLS',
    caFile: values.REDIS_TLS_CA_FILE,
    certFile: values.REDIS_TLS_CERT_FILE,
    keyFile: values.REDIS_TLS_KEY_FILE,
    serverName: values.REDIS_TLS_SERVER_NAME,
  };
}

function hasPassword(servers: string | undefined): boolean {
  return servers !== undefined && /:\/\/[^/]*@/.test(servers);
}

/** Its value may contain a password, so it is a secret. */
function nodeList(options: { allowed: string; about: string }): Setting<string | undefined> {
  return {
    ...options,
    type: 'text',
    default: undefined,
    secret: true,
    parse: (value) => {
      parseNodes(value, 1);
      return value;
    },
  };
}
