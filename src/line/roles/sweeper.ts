/** The role that takes out waiters who are gone without a word. */

import type { LineStore } from '../store/line-store.ts';
import { forEachRoom } from './for-each-room.ts';

export async function runSweeperOnce(store: Pick<LineStore, 'listActiveEvents' | 'sweep'>): Promise<'done' | 'again'> {
  return forEachRoom(await store.listActiveEvents(), async (eventId) => {
    const swept = await store.sweep(eventId);
    return swept.outcome === 'swept' && swept.more;
  });
}
