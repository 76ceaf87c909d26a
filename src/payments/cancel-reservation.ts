/** Cancels a reservation for its buyer, within the refund deadline, and refunds the payment. */
import { AppError } from '../http/errors.ts';
import type { EventStore } from '../shop/event-store.ts';
import type { Reservation } from '../shop/hold-store.ts';
import { mayCancel, refundDeadline } from '../shop/rules/refund.ts';
import type { Cashier } from './cashier.ts';

export interface CancelOptions {
  events: Pick<EventStore, 'findEvent'>;
  cashier: Pick<Cashier, 'cancel'>;
  refundUntilHours: number;
  now: () => number;
}

export type CancelReservation = (reservation: Reservation) => Promise<void>;

/** Until when reservations of the event can be cancelled for a refund; undefined: no such event. */
export type RefundUntil = (eventId: string) => Promise<number | undefined>;

export function createRefundUntil({
  events,
  refundUntilHours,
}: Pick<CancelOptions, 'events' | 'refundUntilHours'>): RefundUntil {
  return async (eventId) => {
    const event = await events.findEvent(eventId);
    return event && refundDeadline(Date.parse(event.startsAt), refundUntilHours);
  };
}

export function createCancelReservation({ events, cashier, refundUntilHours, now }: CancelOptions): CancelReservation {
  return async ({ reservationId, eventId, state }) => {
    if (state === 'confirmed') await refuseTooLate(eventId);
    const { outcome } = await cashier.cancel(reservationId);
    if (outcome === 'in-progress') throw new AppError('PAYMENT_IN_PROGRESS', { retryAfterSeconds: 5 });
    if (outcome === 'no-reservation') throw new AppError('RESERVATION_NOT_FOUND');
    if (outcome === 'not-cancellable')
      throw new AppError('NOT_CANCELLABLE', { message: 'The hold has already ended.' });
  };

  async function refuseTooLate(eventId: string): Promise<void> {
    const event = await events.findEvent(eventId);
    if (event === undefined) throw new Error(`event ${eventId} of a confirmed reservation not found`);
    const rule = mayCancel(Date.parse(event.startsAt), now(), refundUntilHours);
    if (rule.outcome === 'allowed') return;
    const endedAt = new Date(rule.endedAt).toISOString();
    throw new AppError('NOT_CANCELLABLE', {
      message: `Reservations of this event could be cancelled until ${endedAt}.`,
    });
  }
}
