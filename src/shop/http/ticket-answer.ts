/** Tickets as those see them who have a link or a booking code: the event and the codes, nothing about the buyer. */
import { type Static, Type } from 'typebox';
import { EntryAnswer } from './reservation-answer.ts';

export const TicketAnswer = Type.Object(
  {
    event: Type.Object({
      eventId: Type.String(),
      title: Type.String(),
      venue: Type.String(),
      startsAt: Type.String(),
      timeZone: Type.String({ description: 'IANA name of the time zone of the venue' }),
    }),
    entries: Type.Array(EntryAnswer, { description: 'one per person' }),
  },
  { title: 'Ticket' },
);
export type TicketAnswer = Static<typeof TicketAnswer>;
