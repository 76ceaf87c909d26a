/**
 * The processes that hold connections. Each gives a sign of life every second; without one for five it is dead. Being
 * listed only tells the reaper where to look, so a name too many or too few does no harm.
 */
import type { RedisClient } from '../../platform/redis/scripts.ts';
import { dispatchKey, INSTANCES_KEY, instanceKey } from './scripts/keys.ts';

export const HEARTBEAT_MS = 1_000;
const DEAD_AFTER_MS = 5_000;

export async function giveSignOfLife(client: RedisClient, instanceId: string): Promise<void> {
  // Listed first: what is not listed would never be cleared away.
  await client.sadd(INSTANCES_KEY, instanceId);
  await client.set(instanceKey(instanceId), '1', 'PX', DEAD_AFTER_MS);
}

export async function isAlive(client: RedisClient, instanceId: string): Promise<boolean> {
  return (await client.exists(instanceKey(instanceId))) === 1;
}

export function listInstances(client: RedisClient): Promise<string[]> {
  return client.smembers(INSTANCES_KEY);
}

/** Unlisted last, so that a failure on the way is made good by the next attempt. */
export async function removeInstance(client: RedisClient, instanceId: string): Promise<void> {
  await client.del(instanceKey(instanceId));
  await client.del(dispatchKey(instanceId));
  await client.srem(INSTANCES_KEY, instanceId);
}
