/**
 * What follows from a payment: `ticket-service-group` reads that it was confirmed or refunded, does what has to follow,
 * and says so in a record of its own, all in one transaction.
 *
 * A reservation is confirmed, or cancelled, by the transaction of its payment itself: nobody who has paid waits for a
 * log to be sure of a seat. What follows for it here is the record. A transfer is handed over and a membership begins
 * here; what they need was made certain by the payment's transaction, so that neither can fail for want of it.
 */
import type { Transaction } from '../platform/database/database.ts';
import type { Append } from '../records/append.ts';
import { type Handling, oneAfterTheOther } from '../records/handling.ts';
import type { PaymentType, RecordOf } from '../records/record.ts';
import type { Topic } from '../records/topics.ts';

export const TICKET_GROUP = 'ticket-service-group';
export const TICKET_TOPICS: readonly Topic[] = ['payment-events'];

export interface ChainOptions {
  append: Append;
  reservations: {
    find(tx: Transaction, reservationId: string, payer: string): Promise<{ state: string } | undefined>;
  };
  transfers: {
    complete(tx: Transaction, transferId: string, now: Date): Promise<HandedOver | undefined>;
  };
  memberships: {
    activate(tx: Transaction, membershipId: string, now: Date): Promise<Begun | undefined>;
  };
}

interface HandedOver {
  transferId: string;
  reservationId: string;
  eventId: string;
  seller: string;
  buyer: string | undefined;
  price: number;
  currency: string;
}

interface Begun {
  membershipId: string;
  userId: string;
  amount: number;
  currency: string;
  startsAt: number | undefined;
  endsAt: number | undefined;
}

type Confirmed = RecordOf<'PAYMENT_CONFIRMED'>;

export function createTicketChain({ append, reservations, transfers, memberships }: ChainOptions): Handling {
  const follow: Record<PaymentType, (tx: Transaction, record: Confirmed) => Promise<void>> = {
    reservation: (tx, record) => append(tx, toReservationRecord('RESERVATION_CONFIRMED', record)),

    async transfer(tx, { payload, sagaId, occurredAt }) {
      const at = new Date(occurredAt);
      const transfer = await transfers.complete(tx, payload.referenceId, at);
      // Refunded since by the provider itself: nothing is left to hand over.
      if (transfer === undefined) return;
      const { transferId, reservationId, eventId, seller, buyer, price, currency } = transfer;
      const { orderId } = payload;
      const told = { transferId, reservationId, eventId, sellerId: seller, buyerId: buyer!, orderId, price, currency };
      await append(tx, { type: 'TRANSFER_COMPLETED', at, sagaId, payload: told });
    },

    async membership(tx, { payload, sagaId, occurredAt }) {
      const at = new Date(occurredAt);
      const membership = await memberships.activate(tx, payload.referenceId, at);
      if (membership === undefined) return;
      const { membershipId, userId, amount, currency } = membership;
      const [startsAt, endsAt] = [toTime(membership.startsAt!), toTime(membership.endsAt!)];
      const told = { membershipId, userId, orderId: payload.orderId, amount, currency, startsAt, endsAt };
      await append(tx, { type: 'MEMBERSHIP_ACTIVATED', at, sagaId, payload: told });
    },
  };

  return oneAfterTheOther({
    PAYMENT_CONFIRMED: (tx, record) => follow[record.payload.paymentType](tx, record),
    async PAYMENT_REFUNDED(tx, record) {
      const { wasConfirmed, reservationId, userId } = record.payload;
      // Where the money came too late there was no reservation to cancel; a membership is none.
      if (!wasConfirmed || reservationId === null) return;
      // What a former owner was given back by the provider itself is no cancellation.
      if ((await reservations.find(tx, reservationId, userId))?.state !== 'cancelled') return;
      await append(tx, toReservationRecord('RESERVATION_CANCELLED', record));
    },
  });
}

function toReservationRecord<T extends 'RESERVATION_CONFIRMED' | 'RESERVATION_CANCELLED'>(
  type: T,
  { payload, occurredAt }: Confirmed | RecordOf<'PAYMENT_REFUNDED'>,
) {
  const { reservationId, eventId, userId, amount, currency, orderId } = payload;
  if (reservationId === null || eventId === null) throw new Error(`${orderId} is a payment for no reservation`);
  const told = { reservationId, eventId, userId, amount, currency, orderId };
  return { type, at: new Date(occurredAt), sagaId: reservationId, payload: told };
}

const toTime = (ms: number) => new Date(ms).toISOString();
