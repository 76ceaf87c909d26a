/** The port for scheduled changes of rooms. Guarantees as in visits.ts. */
import type { SettingProblem } from '../model/room-settings.ts';
import type { ScheduledChange } from '../model/scheduled-change.ts';
import type { Applying } from '../rules/schedule.ts';
import type { NoRoom } from './visits.ts';

export interface Schedules {
  /** The events that may have scheduled changes. */
  listScheduledEvents(): Promise<string[]>;
  /** Stores a change that the room would accept now. */
  schedule(eventId: string, change: ScheduledChange): Promise<ScheduleOutcome>;
  /** By time. */
  listScheduled(eventId: string): Promise<ScheduledChange[]>;
  /** Removes a change that has not been applied; undefined if there is none. */
  cancelScheduled(eventId: string, id: string): Promise<ScheduledChange | undefined>;
  /**
   * Applies the next change that is due by the store's clock and removes it, in one step: of any number of callers, one
   * applies it. A change that the room no longer accepts is removed without effect (`invalid`).
   */
  applyDue(eventId: string): Promise<ApplyOutcome>;
}

export type ScheduleOutcome =
  | { outcome: 'scheduled' }
  | { outcome: 'full' }
  | { outcome: 'invalid'; problems: SettingProblem[] }
  | NoRoom;

export type ApplyOutcome = Applying;
