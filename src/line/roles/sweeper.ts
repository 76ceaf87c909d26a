/** The role that removes waiters who have been silent for too long. */
import type { Admissions } from '../store/admissions.ts';
import { forEachRoom } from './for-each-room.ts';

type Sweeps = Pick<Admissions, 'listActiveEvents' | 'sweep'>;

/**
 * Returns one pass. A sweep does a bounded part of a room; after `again` the next pass continues only the rooms that have more.
 * If it went over all rooms, those that are done would begin again, and a pass would end only when all are done at once.
 */
export function createSweeper(admissions: Sweeps): () => Promise<'done' | 'again'> {
  let unfinished: readonly string[] = [];
  return async () => {
    const eventIds = unfinished.length > 0 ? unfinished : await admissions.listActiveEvents();
    const more: string[] = [];
    // A failed pass is over: the next one lists the rooms again. The store remembers how far each sweep went.
    unfinished = [];
    const outcome = await forEachRoom(eventIds, async (eventId) => {
      const swept = await admissions.sweep(eventId);
      const hasMore = swept.outcome === 'swept' && swept.more;
      if (hasMore) more.push(eventId);
      return hasMore;
    });
    unfinished = more;
    return outcome;
  };
}
