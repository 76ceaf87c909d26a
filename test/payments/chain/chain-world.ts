/** Payments on a suite's database with the log there or in Kafka, and both consumer groups running. */
import { sql } from 'kysely';
import { createPayables } from '../../../src/compose/open-shop.ts';
import { createMembershipStore } from '../../../src/memberships/postgres/postgres-membership-store.ts';
import { AFTER_PAYMENT_GROUP, AFTER_PAYMENT_TOPICS, createAfterPayment } from '../../../src/payments/after-payment.ts';
import type { PaymentType } from '../../../src/records/record.ts';
import { createRecordCounter, STATS_GROUP } from '../../../src/stats/count-records.ts';
import { createStatsStore } from '../../../src/stats/postgres/postgres-stats-store.ts';
import { PostgresTransferStore } from '../../../src/transfers/postgres/postgres-transfer-store.ts';
import { createRecords, type Publishing } from '../../records/records-fixture.ts';
import type { SuiteDatabase } from '../../support/databases.ts';
import { createPayments, LONGEST_HOLD_MS } from '../payment-fixture.ts';

export const MEMBERSHIP_DAYS = 365;

export async function createChainWorld(suite: SuiteDatabase, kafka?: string, publishing?: Publishing) {
  const records = await createRecords(suite, kafka, undefined, publishing);
  await sql`truncate stats_counts, stats_money`.execute(suite.db);
  const shop = createPayments(suite);
  const { clock } = shop;
  const { append } = records;
  const payables = createPayables({ append, membershipDays: MEMBERSHIP_DAYS, longestHoldMs: LONGEST_HOLD_MS });
  const stats = createStatsStore({ database: suite.lazy, timeZone: 'Asia/Seoul', group: STATS_GROUP });
  const transfers = new PostgresTransferStore({ database: suite.lazy, append, clock });
  const memberships = createMembershipStore({
    ...{ database: suite.lazy, clock, price: { amount: 30_000, currency: 'KRW' } },
  });
  const afterPayment = createAfterPayment({
    append,
    reservations: payables.reservation,
    transfers: payables.transfer,
    memberships: payables.membership,
  });
  records.start(AFTER_PAYMENT_GROUP, afterPayment, AFTER_PAYMENT_TOPICS);
  const counter = records.start(STATS_GROUP, createRecordCounter(stats));

  const settle = () =>
    records.settle([{ group: AFTER_PAYMENT_GROUP, topics: AFTER_PAYMENT_TOPICS }, { group: STATS_GROUP }]);

  /** Prepares and pays for anything. */
  async function buy(referenceId: string, visitor: string, paymentType: PaymentType) {
    const prepared = await shop.payments.prepare(referenceId, visitor, paymentType);
    if (prepared.outcome !== 'prepared') throw new Error(`could not prepare: ${prepared.outcome}`);
    return shop.pay(prepared.payment);
  }

  async function reserve(eventId: string, visitor: string, ...seats: string[]): Promise<string> {
    const { reservationId } = await shop.hold(eventId, visitor, ...seats);
    await buy(reservationId, visitor, 'reservation');
    return reservationId;
  }

  async function list(reservationId: string, seller: string, price: number): Promise<string> {
    const listed = await transfers.list(reservationId, seller, price);
    if (!('transfer' in listed)) throw new Error(`could not list: ${listed.outcome}`);
    return listed.transfer.transferId;
  }

  /** The types of all records, without duplicates. */
  async function listTypes(): Promise<string[]> {
    const values = new Map(
      (await records.readAll()).map(({ value }) => [JSON.parse(value).id, JSON.parse(value).type]),
    );
    return [...values.values()].sort();
  }

  return { ...shop, ...records, clock, stats, counter, transfers, memberships, settle, buy, reserve, list, listTypes };
}
