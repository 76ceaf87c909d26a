/** A scheduled change as the API shows it to operators. */
import { type Static, Type } from 'typebox';
import { RoomChange } from '../model/room-settings.ts';
import type { ScheduledChange } from '../model/scheduled-change.ts';

export const ScheduledAnswer = Type.Object(
  {
    id: Type.String(),
    at: Type.String({ format: 'date-time' }),
    change: RoomChange,
    by: Type.String({ description: 'who scheduled it, as in the audit trail' }),
  },
  { title: 'ScheduledChange' },
);
export type ScheduledAnswer = Static<typeof ScheduledAnswer>;

export function toScheduledAnswer({ id, at, change, by }: ScheduledChange): ScheduledAnswer {
  return { id, at: new Date(at).toISOString(), change, by };
}
