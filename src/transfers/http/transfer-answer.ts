/** The transfer as the API shows it. It never names the seller or the buyer. */
import { type Static, Type } from 'typebox';
import { ItemsAnswer } from '../../shop/http/reservation-answer.ts';

const oneOf = <T extends string>(...values: T[]) => Type.Unsafe<T>({ type: 'string', enum: values });

export const TransferAnswer = Type.Object(
  {
    transferId: Type.String(),
    eventId: Type.String(),
    ...ItemsAnswer,
    price: Type.Integer({ description: 'in the smallest unit of the currency' }),
    currency: Type.String(),
    status: oneOf('listed', 'paid', 'completed', 'cancelled'),
    createdAt: Type.String(),
    reservationId: Type.Optional(Type.String({ description: 'for the seller and the buyer' })),
    role: Type.Optional(oneOf('seller', 'buyer')),
    completedAt: Type.Optional(Type.String()),
  },
  { title: 'Transfer' },
);
export type TransferAnswer = Static<typeof TransferAnswer>;
