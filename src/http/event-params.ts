import { Type } from 'typebox';

/** Validated before any store is called. */
export const EventParams = Type.Object({
  eventId: Type.String({
    pattern: '^[A-Za-z0-9_-]{1,64}$',
    description: '1 to 64 letters, digits, _ or -',
  }),
});
