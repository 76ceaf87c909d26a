/** The news that somebody was let in, for systems outside. */
import { type Static, Type } from 'typebox';

export const Notice = Type.Object({
  action: Type.Literal('admitted'),
  eventId: Type.String(),
  userId: Type.String(),
  entryToken: Type.String(),
  timestamp: Type.Number({ description: 'when, in milliseconds since the epoch' }),
});
export type Notice = Static<typeof Notice>;

/** The same for the same visitor of the same event: what is sent twice within a while counts once. */
export function dedupeIdOf({ userId, eventId }: Notice): string {
  return `${userId}:${eventId}`;
}
