/** One pass of the role `advancer`: advances every active event, and finishes interrupted switches. */
import type { Pace } from '../model/counters.ts';
import type { Tier1Store } from '../store/tier1-store.ts';
import type { Switching } from '../switching.ts';

export interface AdvancerOptions {
  store: Tier1Store;
  pace: Pace;
  /** undefined where the line is not available. */
  switching?: Switching | undefined;
  /** Back-pressure: whether the line of an event is too long to send more visitors there. */
  isLineTooLong?: ((eventId: string) => Promise<boolean>) | undefined;
}

/** A failing event does not stop the others; its error is thrown after all have had their pass. */
export async function runAdvancerOnce(options: AdvancerOptions): Promise<'done'> {
  const eventIds = await options.store.listActive();
  const results = await Promise.allSettled(eventIds.map((eventId) => serve(eventId, options)));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  return 'done';
}

async function serve(eventId: string, { store, pace, switching, isLineTooLong }: AdvancerOptions): Promise<void> {
  const isPaused = await isLineTooLong?.(eventId);
  const counters = isPaused ? await store.findCounters(eventId) : await store.advance(eventId, pace);
  if (counters?.state === 'opening' || counters?.state === 'closing') await switching?.settle(eventId, counters);
}
