/** How a payment looks to whoever pays it. */
import { type Static, Type } from 'typebox';
import { AppError } from '../../http/errors.ts';
import { paymentTypes } from '../../records/record.ts';
import { toLimitError } from '../../shop/http/over-limit.ts';
import type { ConfirmOutcome } from '../cashier.ts';
import type { Payment } from '../payment-store.ts';
import { transitions } from '../transitions.ts';

/** What fits the database's integers. */
export const MAX_AMOUNT = 2_000_000_000;

export const PaymentAnswer = Type.Object(
  {
    orderId: Type.String(),
    paymentKey: Type.String(),
    paymentType: Type.Enum([...paymentTypes]),
    referenceId: Type.String({ description: 'what is paid for' }),
    reservationId: Type.Optional(Type.String()),
    eventId: Type.Optional(Type.String()),
    amount: Type.Integer({ description: 'in the smallest unit of the currency' }),
    currency: Type.String(),
    status: Type.String({ enum: Object.keys(transitions) }),
    method: Type.Optional(Type.String()),
    createdAt: Type.String(),
  },
  { title: 'Payment' },
);
export type PaymentAnswer = Static<typeof PaymentAnswer>;

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

/** The payment that was confirmed, or is about to be; anything else is told as an error. */
export function toConfirmed(outcome: ConfirmOutcome): Payment {
  switch (outcome.outcome) {
    case 'no-payment':
      throw new AppError('PAYMENT_NOT_FOUND');
    case 'hold-ended':
      throw new AppError('HOLD_ENDED');
    case 'over-limit':
      throw toLimitError(outcome);
    case 'mismatch': {
      const message = `${outcome.field} is not that of the order`;
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
