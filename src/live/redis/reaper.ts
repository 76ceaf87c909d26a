/** The role `reaper`: removes dead instances. Dispatchers remove their visitors from the whereabouts. */
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
    // An instance that only slept lists itself again with its next heartbeat. It loses hints, which its looks replace.
    await removeInstance(client, instanceId);
    log.info({ instanceId }, 'reaper: removed dead instance');
  }
  return 'done';
}
