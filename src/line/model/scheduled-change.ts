/** A change of a room's settings that an operator has scheduled. */
import type { RoomChange } from './room-settings.ts';

export interface ScheduledChange {
  id: string;
  /** When it applies, in ms. */
  at: number;
  change: RoomChange;
  /** Who scheduled it, as in the audit trail. */
  by: string;
}

export const MOST_SCHEDULED = 100;
