/**
 * One presence pass: marks watchers as seen, each when due. It also finds admissions and ended places for which no hint
 * arrived.
 */
import type { Clock } from '../../platform/clock.ts';
import { settleAll } from '../../platform/concurrency/settle-all.ts';
import type { Hub } from '../hub/hub.ts';
import type { Standings } from '../hub/standings.ts';

export interface PresenceOptions {
  hub: Hub;
  standings: Standings;
  clock: Clock;
}

export async function runPresenceOnce({ hub, standings, clock }: PresenceOptions): Promise<'done'> {
  const now = clock.now();
  const due = (eventId: string) => hub.listWatchers(eventId).filter(({ lookAt }) => lookAt <= now);
  // Rooms may be on different servers of a cluster: one that is away must not hold up the others.
  await settleAll(hub.listEvents().map((eventId) => standings.lookUp(due(eventId))));
  return 'done';
}
