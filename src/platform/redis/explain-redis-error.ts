/** What an error of the connection to Redis means, and which setting to change. */
import type { ConnectionOptions } from 'node:tls';
import { explainPort } from '../tls/explain-port.ts';
import { explainTlsError } from '../tls/tls-errors.ts';
import type { RedisClient } from './scripts.ts';

/** What a server says to a client that it will never serve with this configuration. */
const REFUSALS: readonly [RegExp, string][] = [
  [
    /sentinel .*\b(?:WRONGPASS|NOAUTH)\b|ERR invalid password.*sentinel/,
    'check REDIS_SENTINEL_USERNAME and REDIS_SENTINEL_PASSWORD',
  ],
  [
    /\bWRONGPASS\b|ERR invalid password/,
    'check REDIS_USERNAME and REDIS_PASSWORD, or the user and password in the URL',
  ],
  [/\bNOAUTH\b/, 'it requires a password: set REDIS_PASSWORD (and REDIS_USERNAME for an ACL user)'],
  [/\bNOPERM\b/, 'give the ACL user the permissions in docs/guides/redis.md'],
  [/ERR DB index/, 'use a database number that exists, or none, at the end of REDIS_URL'],
  [
    /No such master with that name|got an invalid reply: null/,
    'set REDIS_SENTINEL_NAME to the name in `sentinel monitor`',
  ],
];
const STEM = 'REDIS_TLS';
const ADVICE = {
  on: 'use rediss:// or set REDIS_TLS=on',
  off: 'use redis:// and REDIS_TLS=off, or the TLS port of the server',
};
/** Nobody is there to be asked why. */
const AWAY = /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/;

/** undefined: it may go away by itself. */
export function explainRedisError(error: Error): string | undefined {
  return REFUSALS.find(([pattern]) => pattern.test(error.message))?.[1] ?? explainTlsError(error, STEM);
}

/** As explainRedisError, for errors that do not say why: asks a server. `address`: host:port of one that failed. */
export async function explainByAsking(
  client: RedisClient,
  error: Error | undefined,
  address: string | undefined,
): Promise<string | undefined> {
  const server = serverOf(client, address);
  if (server === undefined || AWAY.test((error as NodeJS.ErrnoException | undefined)?.code ?? '')) return undefined;
  const why = await explainPort({ ...server, stem: STEM, advice: ADVICE, hello: 'PING\r\n' });
  return why === undefined ? undefined : `${server.host}:${server.port}: ${why}`;
}

interface AskedServer {
  host: string;
  port: number;
  tls: ConnectionOptions | undefined;
}

function serverOf({ options }: RedisClient, address: string | undefined): AskedServer | undefined {
  if ('redisOptions' in options) {
    const [, host, port] = /^(.*):(\d+)$/.exec(address ?? '') ?? [];
    return host === undefined ? undefined : { host, port: Number(port), tls: options.redisOptions?.tls };
  }
  if (!('host' in options)) return undefined;
  const [sentinel] = options.sentinels ?? [];
  const { host, port } = sentinel ?? options;
  const tls = sentinel === undefined ? options.tls : options.sentinelTLS;
  return host === undefined || port === undefined ? undefined : { host, port, tls };
}
