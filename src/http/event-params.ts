import { Type } from 'typebox';

/** Checked before any store is asked. */
export const EventParams = Type.Object({
  eventId: Type.String({
    pattern: '^[A-Za-z0-9_-]{1,64}$',
    description: 'letters, digits, _ and -, 64 at most',
  }),
});
