/**
 * The role that lets people in: one tick per pass of every room that has somebody, unless another process is at it; and
 * works out the draws that are due.
 */

import type { LineMetrics } from '../line-metrics.ts';
import type { LineStore } from '../store/line-store.ts';
import { forEachRoom } from './for-each-room.ts';

const DRAW_MS_PER_PASS = 200;

export interface AdmitterOptions {
  store: Pick<LineStore, 'listActiveEvents' | 'tryLockAdmission' | 'tick' | 'draw'>;
  metrics: LineMetrics;
  /** Told who was let in, after it is certain. A hint for those who wait on a line; it must not throw. */
  onAdmitted?: (eventId: string, visitors: readonly string[]) => void;
}

export async function runAdmitterOnce(options: AdmitterOptions): Promise<'done' | 'again'> {
  return forEachRoom(await options.store.listActiveEvents(), (eventId) => admit(eventId, options));
}

async function admit(eventId: string, options: AdmitterOptions): Promise<boolean> {
  const lock = await options.store.tryLockAdmission(eventId);
  if (lock === undefined) return false;
  try {
    return await tickRoom(eventId, options);
  } catch (error) {
    // Another process may have more luck; if it cannot be told, it will see the lock run out.
    await lock.release().catch(() => {});
    throw error;
  }
}

/** Whether the tick stopped before it had let in all it may. */
async function tickRoom(eventId: string, { store, metrics, onAdmitted }: AdmitterOptions): Promise<boolean> {
  const startedAt = performance.now();
  const tick = await store.tick(eventId);
  if (tick.outcome === 'no-room') return false;
  metrics.countTick(eventId, tick, (performance.now() - startedAt) / 1000);
  onAdmitted?.(
    eventId,
    tick.admitted.map(({ visitor }) => visitor),
  );
  if (tick.pulse.crowd.draw !== 'drawing') return tick.more;
  await draw(eventId, store);
  return true;
}

/** Step by step for a while: other rooms want their tick, and whoever came late wants to hear how it stands. */
async function draw(eventId: string, store: AdmitterOptions['store']): Promise<void> {
  const until = performance.now() + DRAW_MS_PER_PASS;
  do {
    const { outcome } = await store.draw(eventId);
    if (outcome !== 'drawing') return;
    await new Promise((resolve) => setImmediate(resolve));
  } while (performance.now() < until);
}
