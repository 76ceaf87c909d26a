/** Refuses servers that could lose lines or cannot run our scripts. */

import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { mastersOf, nameOfServer, type RedisClient } from './scripts.ts';
import { RedisAwayError, UnusableRedisError } from './unusable-redis-error.ts';

const OLDEST_MAJOR = 7;

/** Of a cluster, servers that do not answer are left out: the others can serve meanwhile. */
export async function checkServer(client: RedisClient, log: Logger): Promise<void> {
  const checks = await Promise.allSettled(mastersOf(client).map((node) => requireNode(node, log)));
  const failures = checks.flatMap((check) => (check.status === 'rejected' ? [check.reason] : []));
  const unusable = failures.find((error) => error instanceof UnusableRedisError);
  if (unusable !== undefined) throw unusable;
  if (failures.length > 0 && failures.length === checks.length) throw toAwayError(failures[0]);
}

function toAwayError(error: Error): RedisAwayError {
  return new RedisAwayError(`Redis does not answer: ${error.message}`);
}

async function requireNode(node: Redis, log: Logger): Promise<void> {
  const where = nameOfServer(node);
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
