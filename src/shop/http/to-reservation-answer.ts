/** Converts reservations for the API. */
import type { Item, Reservation } from '../hold-store.ts';
import { toEntries } from '../rules/entries.ts';
import { drawCode, type Tickets } from '../tickets.ts';
import type { EntryAnswer, ReservationAnswer } from './reservation-answer.ts';

export function toReservationAnswer(reservation: Reservation, now: number): ReservationAnswer {
  const { reservationId, eventId, state, amount, currency, createdAt, holdEndsAt, confirmedAt, items } = reservation;
  const { isExtended, bookingCode } = reservation;
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
    answer.canExtend = !isExtended;
  }
  if (confirmedAt !== undefined) answer.confirmedAt = new Date(confirmedAt).toISOString();
  if (bookingCode !== undefined && state === 'confirmed') answer.bookingCode = bookingCode;
  return answer;
}

export function toItemsAnswer(items: readonly Item[]) {
  return {
    seats: items.filter((item): item is Extract<Item, { seatId: string }> => 'seatId' in item),
    tickets: items.filter((item): item is Extract<Item, { typeId: string }> => 'typeId' in item),
  };
}

/** The tickets of a paid reservation: one for all, and one per person. */
export function toTicketAnswer(
  { reservationId, ticketNo, items }: Reservation,
  tickets: Tickets,
): NonNullable<ReservationAnswer['ticket']> {
  const code = tickets.codeFor(reservationId, ticketNo);
  return { code, qr: drawCode(code), entries: toEntryAnswers({ reservationId, ticketNo, items }, tickets) };
}

export function toEntryAnswers(
  { reservationId, ticketNo, items }: Pick<Reservation, 'reservationId' | 'ticketNo' | 'items'>,
  tickets: Tickets,
): EntryAnswer[] {
  return toEntries(items).map((item, index) => {
    const entry = index + 1;
    const code = tickets.codeFor(reservationId, ticketNo, entry);
    return { entry, code, qr: drawCode(code), ...('seatId' in item ? { seat: item } : { standing: item }) };
  });
}
