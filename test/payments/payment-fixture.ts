/** Payments on a suite's database, with a scripted provider. */
import { sql } from 'kysely';
import { pino } from 'pino';
import { createPayables } from '../../src/compose/open-shop.ts';
import { Cashier } from '../../src/payments/cashier.ts';
import { createKeeper } from '../../src/payments/keeper.ts';
import { PostgresPaymentStore } from '../../src/payments/postgres/postgres-payment-store.ts';
import type { Charge, ChargeState, Provider } from '../../src/payments/provider.ts';
import { createAppend } from '../../src/records/postgres/append.ts';
import { createShop, HOLD_MS } from '../shop/shop-fixture.ts';
import type { SuiteDatabase } from '../support/databases.ts';

export const KEEP_MS = 60_000;
export const LONGEST_HOLD_MS = HOLD_MS + 300_000;
export const CHECK_AFTER_MS = 1_000;
const TIMEOUT_MS = 20_000;

/** A provider with a public ledger; `behave` decides the result of the next capture. */
export class OpenProvider implements Provider {
  readonly name = 'open';
  readonly charges = new Map<string, Exclude<ChargeState, 'none'>>();
  readonly refunds: string[] = [];
  behave: (charge: Charge) => Promise<'captured' | 'declined' | 'pending'> = async () => 'captured';

  async capture(charge: Charge) {
    const known = this.charges.get(charge.orderId);
    if (known !== undefined) return known === 'refunded' ? ('declined' as const) : known;
    const state = await this.behave(charge);
    this.charges.set(charge.orderId, state);
    return state;
  }

  async find(orderId: string) {
    return this.charges.get(orderId) ?? 'none';
  }

  async refund(orderId: string) {
    // A retry after a lost response.
    if (this.charges.get(orderId) === 'refunded') return;
    if (this.charges.get(orderId) !== 'captured') throw new Error(`${orderId} has nothing to refund`);
    this.charges.set(orderId, 'refunded');
    this.refunds.push(orderId);
  }
}

export function createPayments(suite: SuiteDatabase) {
  const shop = createShop(suite);
  const { clock, holds } = shop;
  const log = pino({ level: 'silent' });
  const provider = new OpenProvider();
  const released: string[] = [];
  const payments = new PostgresPaymentStore({
    database: suite.lazy,
    payables: createPayables({ append: createAppend(), membershipDays: 365, longestHoldMs: LONGEST_HOLD_MS }),
    append: createAppend(),
    clock,
    timing: { keepMs: KEEP_MS, checkAfterMs: CHECK_AFTER_MS },
  });
  const cashierWith = (parts: Partial<ConstructorParameters<typeof Cashier>[0]> = {}) =>
    new Cashier({
      store: payments,
      provider,
      releaseSlot: async ({ visitor }) => {
        released.push(visitor);
      },
      timing: { timeoutMs: TIMEOUT_MS, abandonMs: KEEP_MS },
      clock,
      log,
      ...parts,
    });
  const cashier = cashierWith();

  async function prepare(reservationId: string, visitor: string) {
    const outcome = await payments.prepare(reservationId, visitor);
    if (outcome.outcome !== 'prepared') throw new Error(`could not prepare: ${outcome.outcome}`);
    return outcome.payment;
  }

  /** As a buyer who is admitted, unless `admission` is undefined. */
  async function pay(
    payment: Awaited<ReturnType<typeof prepare>>,
    by = cashier,
    { admission }: { admission: string | undefined } = { admission: 'admission-1' },
  ) {
    const { orderId, paymentKey, amount, visitor } = payment;
    return by.confirm({ orderId, paymentKey, amount, currency: undefined, method: 'card', visitor, admission });
  }

  const keep = createKeeper({ cashier, payments, holds, bookings: { eraseBuyers: async () => 0 }, clock, log });

  /** Payments that are neither confirmed, refunded nor uncharged once everything has settled. */
  async function findLooseEnds(eventId: string): Promise<unknown[]> {
    const { rows } = await sql<{ order_id: string; state: string; reservation: string }>`
      select p.order_id, p.state, r.state as reservation from payments p join reservations r on r.id = p.reservation_id
      where p.event_id = ${eventId}`.execute(suite.db);
    return rows.flatMap((row) => {
      const charge = provider.charges.get(row.order_id) ?? 'none';
      const isConfirmed = charge === 'captured' && row.state === 'confirmed' && row.reservation === 'confirmed';
      const isRefunded = charge === 'refunded' && row.state === 'refunded';
      const isUncharged =
        ['none', 'declined'].includes(charge) && ['prepared', 'declined', 'cancelled'].includes(row.state);
      return isConfirmed || isRefunded || isUncharged ? [] : [{ charge, ...row }];
    });
  }
  return { ...shop, suite, provider, payments, cashier, cashierWith, released, prepare, pay, keep, findLooseEnds };
}

export type Payments = ReturnType<typeof createPayments>;
