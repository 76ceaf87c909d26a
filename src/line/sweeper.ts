/** The role that takes out waiters who are gone without a word. */
import type { LineStore } from './line-store.ts';

export async function runSweeperOnce(store: LineStore): Promise<'done' | 'again'> {
  let hasMore = false;
  for (const eventId of await store.listActiveEvents()) {
    const swept = await store.sweep(eventId);
    hasMore ||= swept.outcome === 'swept' && swept.more;
  }
  return hasMore ? 'again' : 'done';
}
