/**
 * What each record adds to the statistics: `stats-service-group` reads all topics. A record counts for the hour in which
 * what it tells of happened, so that reading the log anew comes to the same numbers.
 */
import type { Handling } from '../records/handling.ts';
import type { FairlineRecord, PaymentType } from '../records/record.ts';
import type { Sums } from './figures.ts';
import type { Addition, StatsStore } from './stats-store.ts';

export const STATS_GROUP = 'stats-service-group';

/** What is paid for a transfer goes to whoever had the reservation: it is not earned. */
const SUM_OF: Record<PaymentType, keyof Sums> = {
  reservation: 'revenue',
  transfer: 'transferred',
  membership: 'memberships',
};

/** Added up before they are written: many records are of one event and hour. */
export function createRecordCounter(store: Pick<StatsStore, 'add'>): Handling {
  return {
    handles: () => true,
    handle: (tx, records) => store.add(tx, records.map(toAddition)),
  };
}

function toAddition(record: FairlineRecord): Addition {
  const at = new Date(record.occurredAt);
  switch (record.type) {
    case 'PAYMENT_CONFIRMED': {
      const { paymentType, eventId, amount, currency } = record.payload;
      return { at, eventId, money: { currency, [SUM_OF[paymentType]]: amount } };
    }
    case 'PAYMENT_REFUNDED': {
      const { wasConfirmed, eventId, amount, currency } = record.payload;
      // What was never earned is not given back either.
      return wasConfirmed ? { at, eventId, money: { currency, refunds: amount } } : { at, eventId };
    }
    case 'RESERVATION_CREATED':
      return { at, eventId: record.payload.eventId, counts: { created: 1 } };
    case 'RESERVATION_CONFIRMED':
      return { at, eventId: record.payload.eventId, counts: { confirmed: 1 } };
    case 'RESERVATION_CANCELLED':
      return { at, eventId: record.payload.eventId, counts: { cancelled: 1 } };
    case 'TRANSFER_COMPLETED':
      return { at, eventId: record.payload.eventId, counts: { transfers: 1 } };
    case 'TRANSFER_CANCELLED':
      return { at, eventId: record.payload.eventId, counts: { transfersCancelled: 1 } };
    case 'MEMBERSHIP_ACTIVATED':
      return { at, eventId: null, counts: { memberships: 1 } };
    case 'TRAFFIC_COUNTED': {
      const { eventId, joined, admitted } = record.payload;
      return { at, eventId, counts: { joined, admitted } };
    }
  }
}
