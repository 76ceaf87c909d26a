/**
 * What each record adds to the statistics: `stats-service-group` reads all topics. A record counts for the hour in which
 * what it tells of happened, so that reading the log anew comes to the same numbers.
 */
import type { Handlers } from '../records/consumer.ts';
import type { PaymentType } from '../records/record.ts';
import type { StatsStore, Sums } from './stats-store.ts';

export const STATS_GROUP = 'stats-service-group';

/** What is paid for a transfer goes to whoever had the reservation: it is not earned. */
const SUM_OF: Record<PaymentType, keyof Sums> = {
  reservation: 'revenue',
  transfer: 'transferred',
  membership: 'memberships',
};

export function createRecordCounter(store: Pick<StatsStore, 'add' | 'addMoney'>): Handlers {
  return {
    PAYMENT_CONFIRMED: (tx, { occurredAt, payload: { paymentType, eventId, amount, currency } }) =>
      store.addMoney(tx, new Date(occurredAt), eventId, currency, { [SUM_OF[paymentType]]: amount }),
    async PAYMENT_REFUNDED(tx, { occurredAt, payload: { wasConfirmed, eventId, amount, currency } }) {
      // What was never earned is not given back either.
      if (wasConfirmed) await store.addMoney(tx, new Date(occurredAt), eventId, currency, { refunds: amount });
    },
    RESERVATION_CREATED: (tx, { occurredAt, payload }) =>
      store.add(tx, new Date(occurredAt), payload.eventId, { created: 1 }),
    RESERVATION_CONFIRMED: (tx, { occurredAt, payload }) =>
      store.add(tx, new Date(occurredAt), payload.eventId, { confirmed: 1 }),
    RESERVATION_CANCELLED: (tx, { occurredAt, payload }) =>
      store.add(tx, new Date(occurredAt), payload.eventId, { cancelled: 1 }),
    TRANSFER_COMPLETED: (tx, { occurredAt, payload }) =>
      store.add(tx, new Date(occurredAt), payload.eventId, { transfers: 1 }),
    TRANSFER_CANCELLED: (tx, { occurredAt, payload }) =>
      store.add(tx, new Date(occurredAt), payload.eventId, { transfersCancelled: 1 }),
    MEMBERSHIP_ACTIVATED: (tx, { occurredAt }) => store.add(tx, new Date(occurredAt), null, { memberships: 1 }),
    TRAFFIC_COUNTED: (tx, { occurredAt, payload: { eventId, joined, admitted } }) =>
      store.add(tx, new Date(occurredAt), eventId, { joined, admitted }),
  };
}
