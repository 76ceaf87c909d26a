/** One pass of the role `advancer`: serves each numbering that is on, and finishes switches that were left half done. */
import type { Pace } from '../model/counters.ts';
import type { Tier1Store } from '../store/tier1-store.ts';
import type { Switching } from '../switching.ts';

export interface AdvancerOptions {
  store: Tier1Store;
  pace: Pace;
  /** undefined where the line is not at hand. */
  switching?: Switching | undefined;
  /** Whether an event's line is so long that nobody more should be sent there now. */
  isHeldUp?: ((eventId: string) => Promise<boolean>) | undefined;
}

/** An event that fails keeps no other from being served; its error is told after all have had their pass. */
export async function runAdvancerOnce(options: AdvancerOptions): Promise<'done'> {
  const eventIds = await options.store.listActive();
  const results = await Promise.allSettled(eventIds.map((eventId) => serve(eventId, options)));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  return 'done';
}

async function serve(eventId: string, { store, pace, switching, isHeldUp }: AdvancerOptions): Promise<void> {
  const waits = await isHeldUp?.(eventId);
  const counters = waits ? await store.findCounters(eventId) : await store.advance(eventId, pace);
  if (counters?.state === 'opening' || counters?.state === 'closing') await switching?.settle(eventId, counters);
}
