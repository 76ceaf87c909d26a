/** Refuses servers that could lose lines or cannot run our scripts. */

import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { mastersOf, type RedisClient } from './scripts.ts';
import { UnusableRedisError } from './unusable-redis-error.ts';

const OLDEST_MAJOR = 7;

export async function checkServer(client: RedisClient, log: Logger): Promise<void> {
  for (const node of mastersOf(client)) await requireNode(node, log);
}

async function requireNode(node: Redis, log: Logger): Promise<void> {
  const where = `Redis at ${node.options.host}:${node.options.port}`;
  const info = await readInfo(node);
  if (info === undefined) {
    log.warn(`${where} does not let us read INFO; make sure it is 7.0 or later with maxmemory-policy noeviction`);
    return;
  }
  const version = info.get('redis_version') ?? 'unknown';
  if (Number.parseInt(version, 10) < OLDEST_MAJOR) {
    throw new UnusableRedisError(`${where} is version ${version}; Fairline needs Redis 7.0 or later, or Valkey`);
  }
  const policy = info.get('maxmemory_policy');
  if (policy === undefined) log.warn(`${where} does not tell its maxmemory-policy; it must be noeviction`);
  else if (policy !== 'noeviction') {
    throw new UnusableRedisError(
      `${where} has maxmemory-policy ${policy}, by which it may drop people's places when memory is short; ` +
        'set it to noeviction',
    );
  }
}

/** undefined if an ACL forbids it. INFO contains the policy too, and hosted servers often forbid CONFIG. */
async function readInfo(node: Redis): Promise<Map<string, string> | undefined> {
  try {
    const text = await node.info();
    return new Map(text.split('\r\n').map((line) => line.split(':', 2) as [string, string]));
  } catch (error) {
    if (/^(?:NOPERM|ERR unknown command)/.test((error as Error).message)) return undefined;
    throw error;
  }
}
