/** The role that lets people in: one tick of every room per pass. */
import type { LineMetrics } from './line-metrics.ts';
import type { LineStore } from './line-store.ts';

export interface AdmitterOptions {
  store: LineStore;
  metrics: LineMetrics;
  /** Told who was let in, after it is certain. A hint for those who wait on a line; it must not throw. */
  onAdmitted?: (eventId: string, visitors: readonly string[]) => void;
}

export async function runAdmitterOnce({ store, metrics, onAdmitted }: AdmitterOptions): Promise<'done' | 'again'> {
  let hasMore = false;
  for (const { eventId } of await store.listRooms()) {
    const startedAt = performance.now();
    const tick = await store.tick(eventId);
    if (tick.outcome === 'no-room') continue;
    metrics.countTick(eventId, tick, (performance.now() - startedAt) / 1000);
    onAdmitted?.(
      eventId,
      tick.admitted.map(({ visitor }) => visitor),
    );
    hasMore ||= tick.more;
  }
  return hasMore ? 'again' : 'done';
}
