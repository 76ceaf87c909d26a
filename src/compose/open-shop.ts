/** The shop, payments, transfers, memberships and records of a process, on one database. */
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { PostersConfig } from '../config/poster-settings.ts';
import type { RecordsConfig } from '../config/records-settings.ts';
import type { ShopConfig } from '../config/shop-settings.ts';
import type { RedisConfig } from '../config/store-settings.ts';
import type { LinePorts } from '../line/store/line-store.ts';
import type { MembershipStore } from '../memberships/membership-store.ts';
import { createMembershipChanges } from '../memberships/postgres/membership-changes.ts';
import { createMembershipStore } from '../memberships/postgres/postgres-membership-store.ts';
import {
  type CancelReservation,
  createCancelReservation,
  createRefundUntil,
  type RefundUntil,
} from '../payments/cancel-reservation.ts';
import { Cashier } from '../payments/cashier.ts';
import { createKeeper } from '../payments/keeper.ts';
import type { PaymentStore } from '../payments/payment-store.ts';
import { toPaymentTiming } from '../payments/payment-timing.ts';
import { PostgresPaymentStore } from '../payments/postgres/postgres-payment-store.ts';
import { createSandboxLedger } from '../payments/postgres/sandbox-ledger.ts';
import { createReceiver, type ReceiveMessage } from '../payments/receive-message.ts';
import { createReleaseSlot } from '../payments/release-slot.ts';
import { runSandboxCallerOnce } from '../payments/sandbox/sandbox-caller.ts';
import { createSandboxProvider, type SandboxLedger } from '../payments/sandbox/sandbox-provider.ts';
import { createWebhookSignatures } from '../payments/webhooks.ts';
import { type Clock, stopwatch } from '../platform/clock.ts';
import type { PassOutcome } from '../platform/concurrency/loop.ts';
import { createLazyDatabase, type LazyDatabase } from '../platform/database/lazy-database.ts';
import type { Tracing } from '../platform/tracing/tracing.ts';
import type { Posters } from '../posters/posters.ts';
import type { Append } from '../records/append.ts';
import { createAppend } from '../records/postgres/append.ts';
import type { BookingStore } from '../shop/booking-store.ts';
import type { EventStore } from '../shop/event-store.ts';
import type { HoldStore } from '../shop/hold-store.ts';
import type { Payables } from '../shop/payables.ts';
import { createPostgresBookingStore } from '../shop/postgres/postgres-booking-store.ts';
import { PostgresEventStore } from '../shop/postgres/postgres-event-store.ts';
import { PostgresHoldStore } from '../shop/postgres/postgres-hold-store.ts';
import { createReservationChanges } from '../shop/postgres/reservation-changes.ts';
import { noSeatLock, type SeatLock } from '../shop/seat-lock.ts';
import { SeatMaps } from '../shop/seat-maps.ts';
import { createShopMetrics, type ShopMetrics } from '../shop/shop-metrics.ts';
import { StockProjector } from '../shop/stock-projector.ts';
import { createTickets, type Tickets } from '../shop/tickets.ts';
import type { KeyRing } from '../signing-keys/key-ring.ts';
import { PostgresTransferStore } from '../transfers/postgres/postgres-transfer-store.ts';
import { createTransferChanges } from '../transfers/postgres/transfer-changes.ts';
import type { TransferStore } from '../transfers/transfer-store.ts';
import { withdrawListings } from '../transfers/withdraw-listings.ts';
import { databaseSchema } from './database-schema.ts';
import { openPosters } from './open-posters.ts';
import { openRecords, type Records } from './open-records.ts';

export interface Selling {
  database: LazyDatabase;
  events: EventStore;
  holds: HoldStore;
  bookings: BookingStore;
  seatLock: SeatLock;
  maps: SeatMaps;
  stock: StockProjector;
  tickets: Tickets;
  payments: PaymentStore;
  cashier: Cashier;
  cancel: CancelReservation;
  refundUntil: RefundUntil;
  receive: ReceiveMessage;
  transfers: TransferStore;
  memberships: MembershipStore;
  records: Records;
  posters: Posters;
  metrics: ShopMetrics;
  /** One pass of the role `keeper`. */
  keep(): Promise<PassOutcome>;
  close(): Promise<void>;
}

export interface SellingOptions {
  config: ShopConfig;
  records: RecordsConfig;
  posters: PostersConfig;
  redis: RedisConfig | undefined;
  keys: { paymentWebhook: KeyRing; ticketCode: KeyRing };
  line: Pick<LinePorts, 'visits' | 'rooms' | 'admissions'>;
  registry: Registry;
  /** undefined: tracing is off. */
  tracing: Tracing | undefined;
  clock: Clock;
  log: Logger;
}

export async function openShop(options: SellingOptions): Promise<Selling> {
  const { config, redis, keys, line, registry, tracing, clock, log } = options;
  const now = () => clock.now();
  const database = createLazyDatabase(config.database, databaseSchema);
  const events = new PostgresEventStore({
    ...{ database, clock, defaults: config.eventDefaults },
    presaleHours: options.records.membership.presaleHours,
  });
  const traceHeaders = tracing && (() => tracing.inject());
  const append = createAppend(traceHeaders);
  const { holdMs, longestHoldMs, buyerKeptMs, refundUntilHours } = config;
  const holds = new PostgresHoldStore({ database, clock, holdMs, longestHoldMs, traceHeaders });
  const bookings = createPostgresBookingStore({ database, clock, buyerKeptMs });
  const payables = createPayables({ append, membershipDays: options.records.membership.days, longestHoldMs });
  const timing = toPaymentTiming(config.paymentTimeoutMs);
  const payments = new PostgresPaymentStore({ database, payables, append, clock, timing });
  const stock = new StockProjector({ events, rooms: line.rooms, admissions: line.admissions });
  const ledger = createSandboxLedger(database, clock);
  const records = await openRecords({
    config: options.records,
    database,
    afterPayment: {
      reservations: payables.reservation,
      transfers: payables.transfer,
      memberships: payables.membership,
    },
    append,
    registry,
    tracing,
    clock,
    log,
  });
  const cashier = new Cashier({
    store: payments,
    provider: createSandboxProvider(ledger),
    releaseSlot: createReleaseSlot({ visits: line.visits, stock }),
    timing,
    clock,
    log,
  });
  const hasPending = database.activity && createHasPending({ holds, payments, ledger });
  const keeper = createKeeper({ cashier, payments, holds, bookings, hasPending, clock, log });
  const signatures = createWebhookSignatures(keys.paymentWebhook);
  const receive = createReceiver({ signatures, cashier, store: payments, now, log });
  const seatLock = config.seatLock && redis !== undefined ? await openSeatLock(redis, log) : noSeatLock;
  return {
    database,
    events,
    holds,
    bookings,
    seatLock,
    maps: new SeatMaps({ store: events, clock: stopwatch }),
    stock,
    tickets: createTickets(keys.ticketCode),
    payments,
    cashier,
    cancel: createCancelReservation({ events, cashier, refundUntilHours, now }),
    refundUntil: createRefundUntil({ events, refundUntilHours }),
    receive,
    transfers: new PostgresTransferStore({ database, append, clock }),
    memberships: createMembershipStore({
      database,
      clock,
      price: { amount: options.records.membership.amount, currency: config.eventDefaults.currency },
    }),
    records,
    posters: await openPosters({ config: options.posters, database, clock, log }),
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

type Pending = Pick<Selling, 'holds' | 'payments'> & { ledger: Pick<SandboxLedger, 'hasCalls'> };

/** Whether something in the database becomes due for the keeper, now or later. */
function createHasPending({ holds, payments, ledger }: Pending): () => Promise<boolean> {
  return async () => (await holds.hasHeld()) || (await payments.hasDue()) || ledger.hasCalls();
}

export interface PayablesOptions {
  append: Append;
  membershipDays: number;
  /** How long a hold lasts at most, with all its extensions. */
  longestHoldMs: number;
}

/** Everything that can be paid for, by payment type. */
export function createPayables({ append, membershipDays, longestHoldMs }: PayablesOptions) {
  const reservations = createReservationChanges(longestHoldMs);
  const transfer = createTransferChanges({ reservations, append, longestHoldMs });
  const reservation = withdrawListings(reservations, transfer.withdrawListing);
  return { reservation, transfer, membership: createMembershipChanges(membershipDays) } satisfies Payables;
}

/** Loads Redis only if it is configured. */
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
