/** The stream of hints for one instance: dispatchers write it and the instance reads it. */
import type { RedisClient } from '../../platform/redis/scripts.ts';
import { dispatchKey } from './scripts/keys.ts';

/** Visitors of one event who were admitted. */
export interface Hint {
  eventId: string;
  visitors: string[];
}

const LONGEST = 1_000;
const READ_AT_ONCE = 100;
/** How long a read blocks; less than the command timeout. */
const WAIT_MS = 1_000;
/** Expires the hints of an instance that died unnoticed. */
const KEPT_MS = 60_000;

export async function sendHint(client: RedisClient, instanceId: string, { eventId, visitors }: Hint): Promise<void> {
  const key = dispatchKey(instanceId);
  await client.xadd(key, 'MAXLEN', '~', LONGEST, '*', 'eventId', eventId, 'visitors', JSON.stringify(visitors));
  await client.pexpire(key, KEPT_MS);
}

export interface Reading {
  hints: Hint[];
  /** Deletes what was read. Until then it is read again. */
  finish(): Promise<void>;
}

/**
 * Blocks on its own connection until there are hints. Entries are deleted after reading, so every read starts at the
 * beginning and there is no offset that a restart of Redis could invalidate.
 */
export async function readHints(blocking: RedisClient, client: RedisClient, instanceId: string): Promise<Reading> {
  const key = dispatchKey(instanceId);
  const reply = await blocking.xread('COUNT', READ_AT_ONCE, 'BLOCK', WAIT_MS, 'STREAMS', key, '0');
  const entries = reply?.[0]?.[1] ?? [];
  return {
    hints: entries.map(([, fields]) => toHint(fields)),
    async finish() {
      if (entries.length > 0) await client.xdel(key, ...entries.map(([id]) => id));
    },
  };
}

function toHint([, eventId, , visitors]: string[]): Hint {
  return { eventId: eventId!, visitors: JSON.parse(visitors!) as string[] };
}
