/** The role that removes waiters who have been silent for too long. */
import type { Admissions } from '../store/admissions.ts';
import { forEachRoom } from './for-each-room.ts';

export async function runSweeperOnce(
  admissions: Pick<Admissions, 'listActiveEvents' | 'sweep'>,
): Promise<'done' | 'again'> {
  return forEachRoom(await admissions.listActiveEvents(), async (eventId) => {
    const swept = await admissions.sweep(eventId);
    return swept.outcome === 'swept' && swept.more;
  });
}
