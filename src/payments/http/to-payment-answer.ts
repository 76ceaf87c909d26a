/** Converts payments and the outcomes of a confirmation for the API. */
import { AppError, type ErrorCode } from '../../http/errors.ts';
import { toLimitError } from '../../shop/http/over-limit.ts';
import type { ConfirmOutcome } from '../cashier.ts';
import type { Payment } from '../payment-store.ts';
import type { PaymentAnswer } from './payment-answer.ts';

export function toPaymentAnswer(payment: Payment): PaymentAnswer {
  const { orderId, paymentKey, paymentType, referenceId, reservationId, eventId, amount, currency, state } = payment;
  return {
    orderId,
    paymentKey,
    paymentType,
    referenceId,
    ...(reservationId === null ? {} : { reservationId }),
    ...(eventId === null ? {} : { eventId }),
    amount,
    currency,
    status: state,
    ...(payment.method === undefined ? {} : { method: payment.method }),
    createdAt: new Date(payment.createdAt).toISOString(),
  };
}

/** Refusals of a confirmation. */
export const confirmErrors: readonly ErrorCode[] = [
  'PAYMENT_NOT_FOUND',
  'HOLD_ENDED',
  'LIMIT_PER_PERSON',
  'PAYMENT_MISMATCH',
  'PAYMENT_OVER',
  'PAYMENT_DECLINED',
  'PAYMENT_REFUNDED',
];

/** The payment if it is confirmed or being confirmed; throws otherwise. */
export function toConfirmed(outcome: ConfirmOutcome): Payment {
  switch (outcome.outcome) {
    case 'no-payment':
      throw new AppError('PAYMENT_NOT_FOUND');
    case 'hold-ended':
    case 'needs-admission':
      throw new AppError('HOLD_ENDED');
    case 'over-limit':
      throw toLimitError(outcome);
    case 'mismatch': {
      const message = `${outcome.field} does not match the order`;
      throw new AppError('PAYMENT_MISMATCH', { fields: [{ field: outcome.field, message }] });
    }
    case 'refused':
      throw new AppError('PAYMENT_OVER');
    default:
      return refuseUnpaid(outcome.payment);
  }
}

function refuseUnpaid(payment: Payment): Payment {
  if (payment.state === 'declined') throw new AppError('PAYMENT_DECLINED');
  if (payment.state === 'refunding' || payment.state === 'refunded') throw new AppError('PAYMENT_REFUNDED');
  return payment;
}
