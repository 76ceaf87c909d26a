/** Converts reservations for the API. */
import type { Item, Reservation } from '../hold-store.ts';
import { drawCode, type Tickets } from '../tickets.ts';
import type { ReservationAnswer } from './reservation-answer.ts';

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

/** Adds the ticket if the reservation is paid. */
export function withTicket(answer: ReservationAnswer, ticketNo: number, tickets: Tickets): ReservationAnswer {
  if (answer.status !== 'confirmed') return answer;
  const code = tickets.codeFor(answer.reservationId, ticketNo);
  return { ...answer, ticket: { code, qr: drawCode(code) } };
}
