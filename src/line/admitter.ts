/** The role that lets people in: one tick of every room per pass. */
import type { LineMetrics } from './line-metrics.ts';
import type { LineStore } from './line-store.ts';

export interface AdmitterOptions {
  store: LineStore;
  metrics: LineMetrics;
}

export async function runAdmitterOnce({ store, metrics }: AdmitterOptions): Promise<'done' | 'again'> {
  let hasMore = false;
  for (const { eventId } of await store.listRooms()) {
    const startedAt = performance.now();
    const tick = await store.tick(eventId);
    if (tick.outcome === 'no-room') continue;
    metrics.countTick(eventId, tick, (performance.now() - startedAt) / 1000);
    hasMore ||= tick.more;
  }
  return hasMore ? 'again' : 'done';
}
