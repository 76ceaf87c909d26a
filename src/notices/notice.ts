/** A notice to an external system that a visitor was admitted. */
import { type Static, Type } from 'typebox';

export const Notice = Type.Object({
  action: Type.Literal('admitted'),
  eventId: Type.String(),
  userId: Type.String(),
  entryToken: Type.String(),
  timestamp: Type.Number({ description: 'time of the admission, in milliseconds since the epoch' }),
});
export type Notice = Static<typeof Notice>;

/** Equal for the same visitor and event, so that a receiver can drop duplicates. */
export function dedupeIdOf({ userId, eventId }: Notice): string {
  return `${userId}:${eventId}`;
}
