/** The reservation as the API shows it to its owner. */
import { type Static, Type } from 'typebox';

const SeatItem = Type.Object({
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
const TicketItem = Type.Object({
  typeId: Type.String(),
  name: Type.String(),
  quantity: Type.Integer(),
  price: Type.Integer({ description: 'of one ticket' }),
});

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
    confirmedAt: Type.Optional(Type.String()),
    ticket: Type.Optional(
      Type.Object({ code: Type.String(), qr: Type.Optional(Type.String({ description: 'the code as SVG' })) }),
    ),
  },
  { title: 'Reservation' },
);
export type ReservationAnswer = Static<typeof ReservationAnswer>;
