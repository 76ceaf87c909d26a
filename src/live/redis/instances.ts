/**
 * The processes with connections. Each sends a heartbeat every second and counts as dead after five without one. The
 * list only shows the reaper where to look, so a missing or extra entry is harmless.
 */
import type { RedisClient } from '../../platform/redis/scripts.ts';
import { dispatchKey, INSTANCES_KEY, instanceKey } from './scripts/keys.ts';

export const HEARTBEAT_MS = 1_000;
const DEAD_AFTER_MS = 5_000;

export async function sendHeartbeat(client: RedisClient, instanceId: string): Promise<void> {
  // Listed first: the reaper never removes what is not listed.
  await client.sadd(INSTANCES_KEY, instanceId);
  await client.set(instanceKey(instanceId), '1', 'PX', DEAD_AFTER_MS);
}

export async function isAlive(client: RedisClient, instanceId: string): Promise<boolean> {
  return (await client.exists(instanceKey(instanceId))) === 1;
}

export function listInstances(client: RedisClient): Promise<string[]> {
  return client.smembers(INSTANCES_KEY);
}

/** Unlisted last, so the next attempt repeats one that failed. */
export async function removeInstance(client: RedisClient, instanceId: string): Promise<void> {
  await client.del(instanceKey(instanceId));
  await client.del(dispatchKey(instanceId));
  await client.srem(INSTANCES_KEY, instanceId);
}
