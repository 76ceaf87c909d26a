/** The reservation as the API shows it to its owner. */
import { type Static, Type } from 'typebox';
import { BuyerAnswer } from './buyer-answer.ts';

export const SeatItem = Type.Object({
  seatId: Type.String(),
  section: Type.String({ description: 'the id of the section' }),
  row: Type.Integer({ description: 'from 1, at the front' }),
  number: Type.Integer({ description: 'from 1' }),
  price: Type.Integer(),
  sectionName: Type.String({ description: 'how the section is called' }),
  rowLabel: Type.String({ description: 'how the row or table is called' }),
  seatLabel: Type.String({ description: 'how the seat is called' }),
  kind: Type.Optional(Type.Literal('table', { description: 'the row is a table' })),
  access: Type.Optional(Type.Union([Type.Literal('wheelchair'), Type.Literal('companion')])),
});
export const TicketItem = Type.Object({
  typeId: Type.String(),
  name: Type.String(),
  quantity: Type.Integer(),
  price: Type.Integer({ description: 'of one ticket' }),
});

/** What one person shows at the entrance. */
export const EntryAnswer = Type.Object(
  {
    entry: Type.Integer({ description: 'from 1, in the order of the seats and tickets' }),
    code: Type.String({ description: 'admits one person' }),
    qr: Type.String({ description: 'the code as SVG' }),
    seat: Type.Optional(SeatItem),
    standing: Type.Optional(TicketItem),
  },
  { title: 'Entry' },
);
export type EntryAnswer = Static<typeof EntryAnswer>;

/** The items of a reservation, by kind. */
export const ItemsAnswer = { seats: Type.Array(SeatItem), tickets: Type.Array(TicketItem) };

export const ReservationAnswer = Type.Object(
  {
    reservationId: Type.String(),
    eventId: Type.String(),
    status: Type.Union([
      Type.Literal('held'),
      Type.Literal('confirmed'),
      Type.Literal('expired'),
      Type.Literal('cancelled'),
    ]),
    ...ItemsAnswer,
    amount: Type.Integer({ description: 'in the smallest unit of the currency' }),
    currency: Type.String(),
    createdAt: Type.String(),
    holdEndsAt: Type.Optional(Type.String()),
    remainingSeconds: Type.Optional(Type.Integer({ description: 'until the hold ends' })),
    canExtend: Type.Optional(Type.Boolean({ description: 'whether the hold can still be prolonged, once' })),
    confirmedAt: Type.Optional(Type.String()),
    refundUntil: Type.Optional(
      Type.String({
        description: 'until when the reservation can be cancelled for a full refund; for one reservation',
      }),
    ),
    buyer: Type.Optional(BuyerAnswer),
    bookingCode: Type.Optional(
      Type.String({ description: 'such as FL-7K2M-94: finds the ticket again, with the buyer’s email' }),
    ),
    ticket: Type.Optional(
      Type.Object({
        code: Type.String({ description: 'of the whole reservation' }),
        qr: Type.Optional(Type.String({ description: 'the code as SVG' })),
        entries: Type.Optional(Type.Array(EntryAnswer, { description: 'one per person' })),
      }),
    ),
  },
  { title: 'Reservation' },
);
export type ReservationAnswer = Static<typeof ReservationAnswer>;
