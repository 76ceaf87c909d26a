/** The role that takes out waiters who are gone without a word. */
import { forEachRoom } from './for-each-room.ts';
import type { LineStore } from './line-store.ts';

export async function runSweeperOnce(store: Pick<LineStore, 'listActiveEvents' | 'sweep'>): Promise<'done' | 'again'> {
  return forEachRoom(await store.listActiveEvents(), async (eventId) => {
    const swept = await store.sweep(eventId);
    return swept.outcome === 'swept' && swept.more;
  });
}
