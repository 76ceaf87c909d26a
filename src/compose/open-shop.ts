/** Everything that sells: the stores of shop and payments on one database, and what works on them. */
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { RecordsConfig } from '../config/records-settings.ts';
import type { ShopConfig } from '../config/shop-settings.ts';
import type { RedisConfig } from '../config/store-settings.ts';
import type { LineStore } from '../line/store/line-store.ts';
import type { LineWatch } from '../line/store/line-watch.ts';
import type { MembershipStore } from '../memberships/membership-store.ts';
import { createMembershipChanges } from '../memberships/postgres/membership-changes.ts';
import { createMembershipStore } from '../memberships/postgres/postgres-membership-store.ts';
import { type CancelReservation, createCancelReservation } from '../payments/cancel-reservation.ts';
import { Cashier } from '../payments/cashier.ts';
import { createKeeper } from '../payments/keeper.ts';
import type { Payment, PaymentStore } from '../payments/payment-store.ts';
import { PostgresPaymentStore } from '../payments/postgres/postgres-payment-store.ts';
import { createSandboxLedger } from '../payments/postgres/sandbox-ledger.ts';
import { createReceiver, type ReceiveMessage } from '../payments/receive-message.ts';
import { runSandboxCallerOnce } from '../payments/sandbox/sandbox-caller.ts';
import { createSandboxProvider } from '../payments/sandbox/sandbox-provider.ts';
import { createWebhookSignatures } from '../payments/webhooks.ts';
import { type Clock, stopwatch } from '../platform/clock.ts';
import { createLazyDatabase, type LazyDatabase } from '../platform/database/lazy-database.ts';
import type { Tracing } from '../platform/tracing/tracing.ts';
import type { Append } from '../records/append.ts';
import { createAppend } from '../records/postgres/append.ts';
import type { EventStore } from '../shop/event-store.ts';
import type { HoldStore } from '../shop/hold-store.ts';
import type { PayableChanges, Payables } from '../shop/payables.ts';
import { PostgresEventStore } from '../shop/postgres/postgres-event-store.ts';
import { PostgresHoldStore } from '../shop/postgres/postgres-hold-store.ts';
import { reservationChanges } from '../shop/postgres/reservation-changes.ts';
import { noSeatLock, type SeatLock } from '../shop/seat-lock.ts';
import { SeatMaps } from '../shop/seat-maps.ts';
import { createShopMetrics, type ShopMetrics } from '../shop/shop-metrics.ts';
import { StockProjector } from '../shop/stock-projector.ts';
import { createTickets, type Tickets } from '../shop/tickets.ts';
import { PostgresTransferStore } from '../transfers/postgres/postgres-transfer-store.ts';
import { createTransferChanges } from '../transfers/postgres/transfer-changes.ts';
import type { TransferStore } from '../transfers/transfer-store.ts';
import { migrations } from './database-schema.ts';
import { openRecords, type Records } from './open-records.ts';

export interface Selling {
  database: LazyDatabase;
  events: EventStore;
  holds: HoldStore;
  seatLock: SeatLock;
  maps: SeatMaps;
  stock: StockProjector;
  tickets: Tickets;
  payments: PaymentStore;
  cashier: Cashier;
  cancel: CancelReservation;
  receive: ReceiveMessage;
  transfers: TransferStore;
  memberships: MembershipStore;
  records: Records;
  metrics: ShopMetrics;
  /** One pass of the role `keeper`. */
  keep(): Promise<'done' | 'again'>;
  close(): Promise<void>;
}

export interface SellingOptions {
  config: ShopConfig;
  records: RecordsConfig;
  redis: RedisConfig | undefined;
  secrets: { webhook: string; ticket: string };
  line: { store: LineStore; watch: LineWatch };
  registry: Registry;
  /** undefined: no traces are made. */
  tracing: Tracing | undefined;
  clock: Clock;
  log: Logger;
}

/** What is paid for is kept at least so long for a provider that takes its time. */
const KEEP_MS = 60_000;
/** A request to the provider that has not arrived by then never will. */
const ABANDON_MS = 60_000;
/** The provider is asked what it did a little after whoever waited for it has given up. */
const PATIENCE_MS = 1_000;

export async function openShop(options: SellingOptions): Promise<Selling> {
  const { config, redis, secrets, line, registry, tracing, clock, log } = options;
  const now = () => clock.now();
  const database = createLazyDatabase(config.database, migrations);
  const events = new PostgresEventStore({
    ...{ database, clock, defaults: config.eventDefaults },
    presaleHours: options.records.membership.presaleHours,
  });
  const traceHeaders = tracing && (() => tracing.inject());
  const append = createAppend(traceHeaders);
  const holds = new PostgresHoldStore({ database, clock, holdMs: config.holdMs, traceHeaders });
  const payables = createPayables(append, options.records.membership.days);
  const payments = new PostgresPaymentStore({
    database,
    payables,
    append,
    clock,
    keepMs: KEEP_MS,
    patienceMs: config.paymentTimeoutMs + PATIENCE_MS,
  });
  const stock = new StockProjector({ events, line: line.store });
  const ledger = createSandboxLedger(database, clock);
  const records = await openRecords({
    config: options.records,
    database,
    chain: { reservations: payables.reservation, transfers: payables.transfer, memberships: payables.membership },
    append,
    registry,
    tracing,
    clock,
    log,
  });
  const cashier = new Cashier({
    store: payments,
    provider: createSandboxProvider(ledger),
    releaseSlot: (payment) => releaseSlot(payment, line, stock),
    timeoutMs: config.paymentTimeoutMs,
    abandonMs: ABANDON_MS,
    clock,
    log,
  });
  const keeper = createKeeper({ cashier, payments, holds, log });
  const signatures = createWebhookSignatures(secrets.webhook);
  const receive = createReceiver({ signatures, cashier, store: payments, now, log });
  const seatLock = config.seatLock && redis !== undefined ? await openSeatLock(redis, log) : noSeatLock;
  return {
    database,
    events,
    holds,
    seatLock,
    maps: new SeatMaps({ store: events, clock: stopwatch }),
    stock,
    tickets: createTickets(secrets.ticket),
    payments,
    cashier,
    cancel: createCancelReservation({ events, cashier, refundUntilHours: config.refundUntilHours, now }),
    receive,
    transfers: new PostgresTransferStore({ database, append, clock }),
    memberships: createMembershipStore({
      database,
      clock,
      price: { amount: options.records.membership.amount, currency: config.eventDefaults.currency },
    }),
    records,
    metrics: createShopMetrics(registry),
    async keep() {
      await runSandboxCallerOnce({ ledger, signatures, receive, now });
      return keeper();
    },
    async close() {
      await seatLock.close();
      await records.close();
      await database.close();
    },
  };
}

/** What can be paid for. */
export function createPayables(append: Append, membershipDays: number) {
  const transfer = createTransferChanges(reservationChanges, append);
  const reservation: PayableChanges = {
    ...reservationChanges,
    async cancel(tx, reservationId, now) {
      const isCancelled = await reservationChanges.cancel(tx, reservationId, now);
      if (isCancelled) await transfer.withdrawListing(tx, reservationId, now);
      return isCancelled;
    },
  };
  return { reservation, transfer, membership: createMembershipChanges(membershipDays) } satisfies Payables;
}

/** Redis is loaded only where it is used. */
async function openSeatLock({ address }: RedisConfig, log: Logger): Promise<SeatLock> {
  const [{ createRedisClient }, { logFaults }, { RedisSeatLock }] = await Promise.all([
    import('../platform/redis/connect.ts'),
    import('../platform/redis/connection.ts'),
    import('../shop/redis/redis-seat-lock.ts'),
  ]);
  const client = createRedisClient(address);
  logFaults(client, log);
  return new RedisSeatLock(client, log);
}

/** What was not held by an admission has none to end. The line hears first that something was sold, then that it is free. */
async function releaseSlot(payment: Released, { store, watch }: SellingOptions['line'], stock: StockProjector) {
  const { eventId, visitor, admission } = payment;
  if (eventId === null || admission === undefined) return;
  await stock.project(eventId);
  await store.leave(eventId, visitor, admission);
  watch.forget(eventId, visitor);
}

type Released = Pick<Payment, 'eventId' | 'visitor' | 'admission'>;
