/** Reservations: standing tickets, the visitor's list, cancelling. */
import { answerWith, type Translation } from '../../http/translation.ts';
import type { EventAnswer } from '../../shop/http/event-answer.ts';
import { type OurItems, type OurReservation, type Ours, toFields, translate } from './ours.ts';

const STATUS = { held: 'pending', confirmed: 'confirmed', expired: 'expired', cancelled: 'cancelled' } as const;
/** For reservations whose event is not in the list of events any more. */
const MOST_LOOKUPS = 10;

export const reservationTranslations: readonly Translation[] = [
  translate('POST', '/api/v1/reservations', async ({ body }, ours) => {
    const { idempotencyKey, items, ...rest } = toFields(body);
    const wanted = Array.isArray(items) ? { ...rest, tickets: items.map(toTicket) } : rest;
    const held = await ours.post<OurReservation>('/api/reservations', wanted, toKeyHeader(idempotencyKey));
    return answerWith(200, { message: 'Reservation created', reservation: toHeldReservation(held) });
  }),

  translate('GET', '/api/v1/reservations/my', async (_request, ours) => {
    const mine = await ours.get<OurReservation[]>('/api/reservations/my');
    const eventOf = await findEvents(mine, ours);
    return answerWith(200, {
      reservations: mine.map((reservation) => toReservation(reservation, eventOf(reservation.eventId))),
    });
  }),

  translate('GET', '/api/v1/reservations/:reservationId', async ({ params }, ours) => {
    const reservation = await ours.get<OurReservation>(`/api/reservations/${params.reservationId}`);
    const event = await ours.find<EventAnswer>(`/api/events/${reservation.eventId}`);
    return answerWith(200, { reservation: toReservation(reservation, event) });
  }),

  translate('POST', '/api/v1/reservations/:reservationId/cancel', async ({ params }, { post }) => {
    const { reservationId, status } = await post<OurReservation>(`/api/reservations/${params.reservationId}/cancel`);
    const reservation = { id: reservationId, status: STATUS[status] };
    return answerWith(200, { message: 'Reservation cancelled', reservation });
  }),
];

/** The answer to a hold: URR's services name its fields otherwise than those of a reservation that is read. */
export function toHeldReservation(held: OurReservation) {
  const { reservationId, amount, holdEndsAt, seats } = held;
  return {
    ...{ id: reservationId, reservationNumber: reservationId, totalAmount: amount, expiresAt: holdEndsAt },
    ...{ status: STATUS[held.status], paymentStatus: 'pending', items: toItems(held) },
    seats: seats.map(({ seatId, price }) => ({ id: seatId, seat_label: seatId, price, status: 'locked' })),
  };
}

/** URR's clients send the key in the body. */
export function toKeyHeader(key: unknown): Record<string, string> {
  return typeof key === 'string' && key.trim() !== '' ? { 'idempotency-key': key } : {};
}

export async function findEvents(
  of: readonly { eventId: string }[],
  { get, find }: Pick<Ours, 'get' | 'find'>,
): Promise<(eventId: string) => EventAnswer | undefined> {
  if (of.length === 0) return () => undefined;
  const events = new Map((await get<EventAnswer[]>('/api/events')).map((event) => [event.eventId, event]));
  const missing = new Set(of.map(({ eventId }) => eventId).filter((eventId) => !events.has(eventId)));
  for (const eventId of [...missing].slice(0, MOST_LOOKUPS)) {
    const event = await find<EventAnswer>(`/api/events/${eventId}`);
    if (event !== undefined) events.set(eventId, event);
  }
  return (eventId) => events.get(eventId);
}

function toReservation(reservation: OurReservation, event: EventAnswer | undefined) {
  const { reservationId, eventId, amount, createdAt, holdEndsAt, status, seats } = reservation;
  return {
    ...{ id: reservationId, reservation_number: reservationId, total_amount: amount, status: STATUS[status] },
    ...{ payment_status: toPaymentStatus(reservation), created_at: createdAt, expires_at: holdEndsAt ?? null },
    ...{ event_id: eventId, event_title: event?.title ?? eventId, venue: event?.venue ?? null },
    ...{ event_date: event?.startsAt ?? null, items: toItems(reservation) },
    seats: seats.map(({ seatId, price }) => ({ seatLabel: seatId, seat_label: seatId, price })),
  };
}

function toPaymentStatus({ status, confirmedAt }: OurReservation): string {
  if (status === 'confirmed') return 'completed';
  return status === 'cancelled' && confirmedAt !== undefined ? 'refunded' : 'pending';
}

function toItems({ seats, tickets }: OurItems) {
  const ofSeats = seats.map(({ seatId, section, row, number, price }) => ({
    ...{ seatId, seatLabel: seatId, ticketTypeName: seatId, section, rowNumber: row, seatNumber: number },
    ...{ quantity: 1, unitPrice: price, subtotal: price },
  }));
  const ofTickets = tickets.map(({ typeId, name, quantity, price }) => ({
    ...{ ticketTypeId: typeId, ticketTypeName: name, seatLabel: null },
    ...{ quantity, unitPrice: price, subtotal: price * quantity },
  }));
  return [...ofSeats, ...ofTickets];
}

function toTicket(item: unknown) {
  const { ticketTypeId, quantity } = toFields(item);
  return { typeId: ticketTypeId, quantity };
}
