/** The role that applies scheduled changes when their time has come. Every process may run it. */
import type { ApplyOutcome, Schedules } from '../store/schedules.ts';
import { forEachRoom } from './for-each-room.ts';

export type Applied = Exclude<ApplyOutcome, { outcome: 'nothing' }>;

export interface SchedulerOptions {
  schedules: Pick<Schedules, 'listScheduledEvents' | 'applyDue'>;
  /** Called by the one process that applied or dropped a change. */
  onApplied: (eventId: string, applied: Applied) => Promise<void>;
}

export async function runSchedulerOnce({ schedules, onApplied }: SchedulerOptions): Promise<'done' | 'again'> {
  return forEachRoom(await schedules.listScheduledEvents(), async (eventId) => {
    const outcome = await schedules.applyDue(eventId);
    if (outcome.outcome === 'nothing') return false;
    await onApplied(eventId, outcome);
    return true;
  });
}
