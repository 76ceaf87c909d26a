/**
 * The records: a common envelope, and the topic, key and payload of each type. Field names are those of the wire: a visitor is
 * `userId` there.
 */
import { type Static, type TObject, Type } from 'typebox';
import type { Topic } from './topics.ts';

const Id = Type.String({ minLength: 1, maxLength: 200 });
const Time = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z$' });
const Amount = Type.Integer({ minimum: 0, description: 'in the smallest unit of the currency' });
const Currency = Type.String({ pattern: '^[A-Z]{3}$' });
const Count = Type.Integer({ minimum: 0 });
/** Absent in records of versions before 0.3. */
const Method = Type.Optional(
  Type.Union([Type.String({ maxLength: 200 }), Type.Null()], { description: 'in the terms of the payment provider' }),
);

export const paymentTypes = ['reservation', 'transfer', 'membership'] as const;
export type PaymentType = (typeof paymentTypes)[number];

const payment = {
  orderId: Id,
  paymentKey: Id,
  paymentType: Type.Enum([...paymentTypes]),
  referenceId: Type.String({ description: 'id of the reservation, transfer or membership that is paid for' }),
  reservationId: Type.Union([Id, Type.Null()]),
  eventId: Type.Union([Id, Type.Null()]),
  userId: Id,
  amount: Amount,
  currency: Currency,
  paymentMethod: Method,
};
const reservation = { reservationId: Id, eventId: Id, userId: Id, amount: Amount, currency: Currency };
const transfer = { transferId: Id, reservationId: Id, eventId: Id, sellerId: Id };

/** `by`: the field of the payload that is the record's key. */
export const recordTypes = {
  PAYMENT_CONFIRMED: { topic: 'payment-events', by: 'orderId', payload: Type.Object(payment) },
  PAYMENT_REFUNDED: {
    topic: 'payment-events',
    by: 'orderId',
    payload: Type.Object({
      ...payment,
      wasConfirmed: Type.Boolean({
        description: 'false: the payment came too late and was refunded at once',
      }),
      reservationCancelled: Type.Optional(
        Type.Boolean({ description: 'false: the reservation still belongs to somebody, or the payment was for none' }),
      ),
    }),
  },
  RESERVATION_CREATED: {
    topic: 'reservation-events',
    by: 'reservationId',
    payload: Type.Object({ ...reservation, tickets: Count }),
  },
  RESERVATION_CONFIRMED: {
    topic: 'reservation-events',
    by: 'reservationId',
    payload: Type.Object({ ...reservation, orderId: Id, paymentMethod: Method }),
  },
  RESERVATION_CANCELLED: {
    topic: 'reservation-events',
    by: 'reservationId',
    payload: Type.Object({ ...reservation, orderId: Id }),
  },
  TRANSFER_COMPLETED: {
    topic: 'transfer-events',
    by: 'transferId',
    payload: Type.Object({ ...transfer, buyerId: Id, orderId: Id, price: Amount, currency: Currency }),
  },
  TRANSFER_CANCELLED: { topic: 'transfer-events', by: 'transferId', payload: Type.Object(transfer) },
  MEMBERSHIP_ACTIVATED: {
    topic: 'membership-events',
    by: 'membershipId',
    payload: Type.Object({
      membershipId: Id,
      userId: Id,
      orderId: Id,
      amount: Amount,
      currency: Currency,
      startsAt: Time,
      endsAt: Time,
    }),
  },
  TRAFFIC_COUNTED: {
    topic: 'traffic-events',
    by: 'eventId',
    payload: Type.Object({ eventId: Id, joined: Count, admitted: Count }),
  },
} as const satisfies Record<string, { topic: Topic; by: string; payload: TObject }>;

export type RecordType = keyof typeof recordTypes;
export type Payload<T extends RecordType> = Static<(typeof recordTypes)[T]['payload']>;

export const Envelope = Type.Object({
  id: Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'unique; consumers use it to process the record once',
  }),
  type: Type.String(),
  key: Type.String({ description: 'records of one key are handled in order' }),
  occurredAt: Time,
  sagaId: Type.String({
    description: 'one step of a purchase, transfer or membership; a repeated record has the same',
  }),
  payload: Type.Object({}),
});

/** A record of a known type. */
export type FairlineRecord = {
  [T in RecordType]: { id: string; type: T; key: string; occurredAt: string; sagaId: string; payload: Payload<T> };
}[RecordType];
export type RecordOf<T extends RecordType> = Extract<FairlineRecord, { type: T }>;

/**
 * One step of a purchase, transfer or membership. Consumers that process a saga id once must not mistake a refund for a repeated
 * confirmation, so the type is part of it. A key is counted many times: there the record is the step.
 */
export function sagaIdOf({ id, type, key }: Pick<FairlineRecord, 'id' | 'type' | 'key'>): string {
  return `${type}:${type === 'TRAFFIC_COUNTED' ? id : key}`;
}
