/**
 * The round that notes who is there, each watcher in their own time. It is also what finds an admission or an ended
 * place of which no news came.
 */
import type { Clock } from '../platform/clock.ts';
import type { Hub } from './hub.ts';
import type { Standings } from './standings.ts';

export interface PresenceOptions {
  hub: Hub;
  standings: Standings;
  clock: Clock;
}

export async function runPresenceOnce({ hub, standings, clock }: PresenceOptions): Promise<'done'> {
  const now = clock.now();
  for (const eventId of hub.listEvents()) {
    await standings.lookUp(hub.listWatchers(eventId).filter(({ lookAt }) => lookAt <= now));
  }
  return 'done';
}
