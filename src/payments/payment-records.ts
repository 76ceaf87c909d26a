/** The records of a payment. */
import type { Draft } from '../records/append.ts';
import type { Payment } from './payment-store.ts';

export function toConfirmedRecord(payment: Payment, at: Date): Draft<'PAYMENT_CONFIRMED'> {
  return { type: 'PAYMENT_CONFIRMED', at, sagaId: payment.referenceId, payload: toPayload(payment) };
}

export function toRefundedRecord(payment: Payment, at: Date): Draft<'PAYMENT_REFUNDED'> {
  const payload = { ...toPayload(payment), wasConfirmed: payment.confirmedNo !== undefined };
  return { type: 'PAYMENT_REFUNDED', at, sagaId: payment.referenceId, payload };
}

function toPayload(payment: Payment) {
  const { orderId, paymentKey, paymentType, referenceId, reservationId, eventId, visitor, amount, currency } = payment;
  return { orderId, paymentKey, paymentType, referenceId, reservationId, eventId, userId: visitor, amount, currency };
}
