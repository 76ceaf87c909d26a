/** How a reservation looks to whoever has it. */
import { type Static, Type } from 'typebox';
import type { Item, Reservation } from '../hold-store.ts';
import { drawCode, type Tickets } from '../tickets.ts';

const SeatItem = Type.Object({
  seatId: Type.String(),
  section: Type.String(),
  row: Type.Integer(),
  number: Type.Integer(),
  price: Type.Integer(),
});
const TicketItem = Type.Object({
  typeId: Type.String(),
  name: Type.String(),
  quantity: Type.Integer(),
  price: Type.Integer({ description: 'of one' }),
});

/** What one gets, apart by kind. */
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
    remainingSeconds: Type.Optional(Type.Integer({ description: 'how long the hold lasts from now on' })),
    confirmedAt: Type.Optional(Type.String()),
    ticket: Type.Optional(
      Type.Object({ code: Type.String(), qr: Type.Optional(Type.String({ description: 'the code as SVG' })) }),
    ),
  },
  { title: 'Reservation' },
);
export type ReservationAnswer = Static<typeof ReservationAnswer>;

export function toReservationAnswer(reservation: Reservation, now: number): ReservationAnswer {
  const { reservationId, eventId, state, amount, currency, createdAt, holdEndsAt, confirmedAt, items } = reservation;
  const answer: ReservationAnswer = {
    reservationId,
    eventId,
    status: state,
    ...toItemsAnswer(items),
    amount,
    currency,
    createdAt: new Date(createdAt).toISOString(),
  };
  if (state === 'held') {
    answer.holdEndsAt = new Date(holdEndsAt).toISOString();
    answer.remainingSeconds = Math.max(0, Math.floor((holdEndsAt - now) / 1000));
  }
  if (confirmedAt !== undefined) answer.confirmedAt = new Date(confirmedAt).toISOString();
  return answer;
}

export function toItemsAnswer(items: readonly Item[]) {
  return {
    seats: items.filter((item): item is Extract<Item, { seatId: string }> => 'seatId' in item),
    tickets: items.filter((item): item is Extract<Item, { typeId: string }> => 'typeId' in item),
  };
}

/** With the ticket, for a reservation that is paid. */
export function withTicket(answer: ReservationAnswer, ticketNo: number, tickets: Tickets): ReservationAnswer {
  if (answer.status !== 'confirmed') return answer;
  const code = tickets.codeFor(answer.reservationId, ticketNo);
  return { ...answer, ticket: { code, qr: drawCode(code) } };
}
