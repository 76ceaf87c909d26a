/** The stream of news for one instance: how a dispatcher writes it and the instance reads it. */
import type { RedisClient } from '../../platform/redis/scripts.ts';
import { dispatchKey } from './scripts/keys.ts';

/** Visitors of one event who were let in. */
export interface News {
  eventId: string;
  visitors: string[];
}

const LONGEST = 1_000;
const READ_AT_ONCE = 100;
/** How long a reading waits for news; below the time after which a command counts as lost. */
const WAIT_MS = 1_000;
/** News for an instance that died unnoticed is not kept for ever. */
const KEPT_MS = 60_000;

export async function sendNews(client: RedisClient, instanceId: string, { eventId, visitors }: News): Promise<void> {
  const key = dispatchKey(instanceId);
  await client.xadd(key, 'MAXLEN', '~', LONGEST, '*', 'eventId', eventId, 'visitors', JSON.stringify(visitors));
  await client.pexpire(key, KEPT_MS);
}

export interface Reading {
  news: News[];
  /** Takes what was read out of the stream. Until then it is read again. */
  finish(): Promise<void>;
}

/**
 * Waits for news on a connection of its own. What was read is taken out, so every reading begins at the beginning: no
 * position has to be kept that a restart of Redis could make wrong.
 */
export async function readNews(waiting: RedisClient, client: RedisClient, instanceId: string): Promise<Reading> {
  const key = dispatchKey(instanceId);
  const reply = await waiting.xread('COUNT', READ_AT_ONCE, 'BLOCK', WAIT_MS, 'STREAMS', key, '0');
  const entries = reply?.[0]?.[1] ?? [];
  return {
    news: entries.map(([, fields]) => toNews(fields)),
    async finish() {
      if (entries.length > 0) await client.xdel(key, ...entries.map(([id]) => id));
    },
  };
}

function toNews([, eventId, , visitors]: string[]): News {
  return { eventId: eventId!, visitors: JSON.parse(visitors!) as string[] };
}
