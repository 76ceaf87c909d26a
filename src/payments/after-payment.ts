/**
 * The consumer of payment records (role `chain`, group `ticket-service-group`). For each confirmed or refunded payment it
 * finishes the purchase and appends the record of that, in one transaction:
 *
 * - reservation: the transaction of the payment has already confirmed or cancelled it, because a buyer must not wait for the
 *   log to be sure of a seat. Only the record is appended here.
 * - transfer: handed over to the buyer. The payment's transaction has reserved it, so this cannot fail for lack of it.
 * - membership: activated.
 */
import type { Transaction } from '../platform/database/database.ts';
import type { Append } from '../records/append.ts';
import { type Handling, handleEach } from '../records/handling.ts';
import type { PaymentType, RecordOf } from '../records/record.ts';
import type { Topic } from '../records/topics.ts';

export const AFTER_PAYMENT_GROUP = 'ticket-service-group';
export const AFTER_PAYMENT_TOPICS: readonly Topic[] = ['payment-events'];

export interface AfterPaymentOptions {
  append: Append;
  reservations: {
    find(tx: Transaction, reservationId: string, payer: string): Promise<{ state: string } | undefined>;
  };
  transfers: {
    complete(tx: Transaction, transferId: string, now: Date): Promise<CompletedTransfer | undefined>;
  };
  memberships: {
    activate(tx: Transaction, membershipId: string, now: Date): Promise<ActiveMembership | undefined>;
  };
}

interface CompletedTransfer {
  transferId: string;
  reservationId: string;
  eventId: string;
  seller: string;
  buyer: string | undefined;
  price: number;
  currency: string;
}

interface ActiveMembership {
  membershipId: string;
  userId: string;
  amount: number;
  currency: string;
  startsAt: number | undefined;
  endsAt: number | undefined;
}

type Confirmed = RecordOf<'PAYMENT_CONFIRMED'>;

export function createAfterPayment({ append, reservations, transfers, memberships }: AfterPaymentOptions): Handling {
  const follow: Record<PaymentType, (tx: Transaction, record: Confirmed) => Promise<void>> = {
    reservation(tx, record) {
      const { at, payload } = toReservationContent(record);
      const { paymentMethod = null } = record.payload;
      return append(tx, { type: 'RESERVATION_CONFIRMED', at, payload: { ...payload, paymentMethod } });
    },

    async transfer(tx, { payload, occurredAt }) {
      const at = new Date(occurredAt);
      const transfer = await transfers.complete(tx, payload.referenceId, at);
      // The provider has refunded it in the meantime.
      if (transfer === undefined) return;
      const { transferId, reservationId, eventId, seller, buyer, price, currency } = transfer;
      const { orderId } = payload;
      const completed = {
        transferId,
        reservationId,
        eventId,
        sellerId: seller,
        buyerId: buyer!,
        orderId,
        price,
        currency,
      };
      await append(tx, { type: 'TRANSFER_COMPLETED', at, payload: completed });
    },

    async membership(tx, { payload, occurredAt }) {
      const at = new Date(occurredAt);
      const membership = await memberships.activate(tx, payload.referenceId, at);
      if (membership === undefined) return;
      const { membershipId, userId, amount, currency } = membership;
      const [startsAt, endsAt] = [toTime(membership.startsAt!), toTime(membership.endsAt!)];
      const activated = { membershipId, userId, orderId: payload.orderId, amount, currency, startsAt, endsAt };
      await append(tx, { type: 'MEMBERSHIP_ACTIVATED', at, payload: activated });
    },
  };

  return handleEach({
    PAYMENT_CONFIRMED: (tx, record) => follow[record.payload.paymentType](tx, record),
    async PAYMENT_REFUNDED(tx, record) {
      const { wasConfirmed, reservationId, userId } = record.payload;
      // A payment that came too late had no reservation, and a membership has none.
      if (!wasConfirmed || reservationId === null) return;
      // The provider can refund a former owner; that does not cancel the reservation.
      if ((await reservations.find(tx, reservationId, userId))?.state !== 'cancelled') return;
      await append(tx, { type: 'RESERVATION_CANCELLED', ...toReservationContent(record) });
    },
  });
}

function toReservationContent({ payload, occurredAt }: Confirmed | RecordOf<'PAYMENT_REFUNDED'>) {
  const { reservationId, eventId, userId, amount, currency, orderId } = payload;
  if (reservationId === null || eventId === null) throw new Error(`order ${orderId} has no reservation`);
  const content = { reservationId, eventId, userId, amount, currency, orderId };
  return { at: new Date(occurredAt), payload: content };
}

const toTime = (ms: number) => new Date(ms).toISOString();
