/** The payment as the API shows it to the buyer. */
import { type Static, Type } from 'typebox';
import { paymentTypes } from '../../records/record.ts';
import { type PaymentState, transitions } from '../transitions.ts';

export const PaymentAnswer = Type.Object(
  {
    orderId: Type.String(),
    paymentKey: Type.String(),
    paymentType: Type.Enum([...paymentTypes]),
    referenceId: Type.String({ description: 'id of the reservation, transfer or membership that is paid for' }),
    reservationId: Type.Optional(Type.String()),
    eventId: Type.Optional(Type.String()),
    amount: Type.Integer({ description: 'in the smallest unit of the currency' }),
    currency: Type.String(),
    status: Type.Unsafe<PaymentState>({ type: 'string', enum: Object.keys(transitions) }),
    method: Type.Optional(Type.String()),
    createdAt: Type.String(),
    clientKey: Type.Optional(
      Type.String({ description: 'public key for the provider’s dialog in the browser; with a prepared order' }),
    ),
  },
  { title: 'Payment' },
);
export type PaymentAnswer = Static<typeof PaymentAnswer>;
