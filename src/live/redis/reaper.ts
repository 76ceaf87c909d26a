/** The role that clears up after instances that died. Who was connected to them is forgotten by the dispatchers. */
import type { Logger } from 'pino';
import type { RedisClient } from '../../platform/redis/scripts.ts';
import { isAlive, listInstances, removeInstance } from './instances.ts';

export interface ReaperOptions {
  client: RedisClient;
  log: Logger;
}

export async function runReaperOnce({ client, log }: ReaperOptions): Promise<'done'> {
  for (const instanceId of await listInstances(client)) {
    if (await isAlive(client, instanceId)) continue;
    // One that only slept lists itself again with its next sign of life; it loses hints, which its looks make good.
    await removeInstance(client, instanceId);
    log.info({ instanceId }, 'reaper: cleared up after an instance that died');
  }
  return 'done';
}
