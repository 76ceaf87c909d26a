/** The records of a payment. */
import type { Draft } from '../records/append.ts';
import type { Payment } from './payment-store.ts';

export function toConfirmedRecord(payment: Payment, at: Date): Draft<'PAYMENT_CONFIRMED'> {
  return { type: 'PAYMENT_CONFIRMED', at, payload: toPayload(payment) };
}

/** `isCancelled`: the payer's reservation is cancelled. */
export function toRefundedRecord(payment: Payment, at: Date, isCancelled: boolean): Draft<'PAYMENT_REFUNDED'> {
  const wasConfirmed = payment.confirmedNo !== undefined;
  const payload = { ...toPayload(payment), wasConfirmed, reservationCancelled: wasConfirmed && isCancelled };
  return { type: 'PAYMENT_REFUNDED', at, payload };
}

function toPayload(payment: Payment) {
  const { orderId, paymentKey, paymentType, referenceId, reservationId, eventId, visitor, amount, currency } = payment;
  const paid = { userId: visitor, amount, currency, paymentMethod: payment.method ?? null };
  return { orderId, paymentKey, paymentType, referenceId, reservationId, eventId, ...paid };
}
