/** The role that admits visitors: ticks every active room that no other process is ticking, and runs draws that are due. */
import type { LineMetrics } from '../line-metrics.ts';
import type { AdmissionLock, Admissions } from '../store/admissions.ts';
import type { Draws } from '../store/draws.ts';
import { forEachRoom } from './for-each-room.ts';

const DRAW_MS_PER_PASS = 200;

export interface AdmitterOptions {
  admissions: Pick<Admissions, 'listActiveEvents' | 'tryLockAdmission' | 'tick'>;
  draws: Pick<Draws, 'draw'>;
  metrics: LineMetrics;
  /** Called with the visitors a tick admitted, once that is durable. A hint for open streams; must not throw. */
  onAdmitted?: (eventId: string, visitors: readonly string[]) => void;
}

export async function runAdmitterOnce(options: AdmitterOptions): Promise<'done' | 'again'> {
  return forEachRoom(await options.admissions.listActiveEvents(), (eventId) => admit(eventId, options));
}

async function admit(eventId: string, options: AdmitterOptions): Promise<boolean> {
  const lock = await options.admissions.tryLockAdmission(eventId);
  if (lock === undefined) return false;
  try {
    return await tickRoom(eventId, lock, options);
  } catch (error) {
    // Lets another process try. If the release fails too, the lock expires.
    await lock.release().catch(() => {});
    throw error;
  }
}

/** Whether the tick stopped before it had admitted all it may. */
async function tickRoom(eventId: string, lock: AdmissionLock, options: AdmitterOptions): Promise<boolean> {
  const { admissions, draws, metrics, onAdmitted } = options;
  const startedAt = performance.now();
  const tick = await admissions.tick(eventId, lock);
  if (tick.outcome === 'no-room') return false;
  metrics.countTick(eventId, tick, (performance.now() - startedAt) / 1000);
  onAdmitted?.(
    eventId,
    tick.admitted.map(({ visitor }) => visitor),
  );
  if (tick.pulse.crowd.draw !== 'drawing') return tick.more;
  await draw(eventId, draws);
  return true;
}

/** Steps for a limited time: the other rooms need their tick too. */
async function draw(eventId: string, draws: AdmitterOptions['draws']): Promise<void> {
  const until = performance.now() + DRAW_MS_PER_PASS;
  do {
    const { outcome } = await draws.draw(eventId);
    if (outcome !== 'drawing') return;
    await new Promise((resolve) => setImmediate(resolve));
  } while (performance.now() < until);
}
