/**
 * Payments in PostgreSQL. A payment, the purchase it pays for and the record of both change in one transaction. Lock order:
 * payments, reservation, seats.
 */
import { randomBytes } from 'node:crypto';
import type { Clock } from '../../platform/clock.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { isUniqueViolation } from '../../platform/database/database-errors.ts';
import type { LazyDatabase } from '../../platform/database/lazy-database.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import type { Append } from '../../records/append.ts';
import type { PaymentType } from '../../records/record.ts';
import type { KeepOutcome, Payables } from '../../shop/payables.ts';
import { toConfirmedRecord, toRefundedRecord } from '../payment-records.ts';
import type {
  AskOutcome,
  AskRequest,
  CancelOutcome,
  Payment,
  PaymentStore,
  PrepareOutcome,
  SettleOutcome,
} from '../payment-store.ts';
import type { PaymentTiming } from '../payment-timing.ts';
import { holdsSlot, type PaymentState, transitions } from '../transitions.ts';
import * as statements from './payment-statements.ts';

export interface PostgresPaymentStoreOptions {
  database: LazyDatabase;
  payables: Payables;
  append: Append;
  clock: Clock;
  timing: Pick<PaymentTiming, 'keepMs' | 'checkAfterMs'>;
}

/** A payment taken for a check is due again after this, if the process has died. */
const CHECK_AGAIN_MS = 10_000;

export class PostgresPaymentStore implements PaymentStore {
  readonly #options: PostgresPaymentStoreOptions;

  constructor(options: PostgresPaymentStoreOptions) {
    this.#options = options;
  }

  async prepare(
    referenceId: string,
    visitor: string,
    paymentType: PaymentType = 'reservation',
  ): Promise<PrepareOutcome> {
    const purchase = { referenceId, visitor, paymentType };
    try {
      return await this.#prepare(purchase);
    } catch (error) {
      // Two simultaneous requests: the second finds the order of the first.
      if (isUniqueViolation(error)) return this.#prepare(purchase);
      throw error;
    }
  }

  async ask(request: AskRequest): Promise<AskOutcome> {
    const { payables, timing } = this.#options;
    return this.#decide(async (tx, now): Promise<AskOutcome> => {
      const payment = await statements.lockPayment(tx, request.orderId);
      if (payment?.visitor !== request.visitor) return { outcome: 'no-payment' };
      const field = mismatchOf(payment, request);
      if (field !== undefined) return { outcome: 'mismatch', field };
      const transition = transitions[payment.state].asked;
      if (transition === 'stay') return { outcome: 'already', payment };
      if (transition === 'refuse' || transition === 'settle') return { outcome: 'refused', state: payment.state };
      const until = new Date(now.getTime() + timing.keepMs);
      const { paymentType, referenceId, visitor } = payment;
      const excess = await payables[paymentType].excess?.(tx, referenceId, now, visitor);
      if (excess !== undefined) return { outcome: 'over-limit', ...excess };
      const keeping = { payer: visitor, admission: request.admission, now, until };
      const kept = await payables[paymentType].keep(tx, referenceId, keeping);
      if (kept.outcome !== 'kept') return toRefusal(kept, payment);
      await statements.setAsked(tx, payment.orderId, {
        method: request.method,
        admission: kept.admission ?? null,
        now,
      });
      return { outcome: 'asked', payment: await this.#setState(tx, payment, transition.to, now) };
    });
  }

  async settle(
    orderId: string,
    happened: 'captured' | 'declined' | 'refunded',
    message?: string,
  ): Promise<SettleOutcome> {
    return this.#decide(async (tx, now): Promise<SettleOutcome> => {
      const payment = await statements.lockPayment(tx, orderId);
      if (payment === undefined) return { outcome: 'no-payment' };
      if (message !== undefined && !(await statements.noteMessage(tx, message, now)))
        return { outcome: 'known', payment };
      const transition = transitions[payment.state][happened];
      if (transition === 'stay' || transition === 'refuse') return { outcome: 'known', payment };
      const to = transition === 'settle' ? await this.#settleCapture(tx, payment, now) : transition.to;
      // The provider refunded it without our request.
      if (payment.state === 'confirmed') await this.#takeBack(tx, payment, now);
      return { outcome: 'settled', payment: await this.#setState(tx, payment, to, now) };
    });
  }

  async cancel(reservationId: string): Promise<CancelOutcome> {
    const reservations = this.#options.payables.reservation;
    return this.#decide(async (tx, now): Promise<CancelOutcome> => {
      const payments = await statements.lockPaymentsOf(tx, reservationId);
      if (payments.some(({ state }) => transitions[state].cancelled === 'refuse')) return { outcome: 'in-progress' };
      const reservation = await reservations.find(tx, reservationId, '');
      if (reservation === undefined) return { outcome: 'no-reservation' };
      const ownersPayment = latestConfirmed(payments);
      // A buyer has paid for the transfer, which is not handed over yet.
      if (ownersPayment !== undefined && ownersPayment.visitor !== reservation.visitor)
        return { outcome: 'in-progress' };
      const isGivenUp = await reservations.cancel(tx, reservationId, now);
      if (!isGivenUp && reservation.state !== 'cancelled') return { outcome: 'not-cancellable' };
      const theirs = payments.filter((payment) => payment.state !== 'confirmed' || payment === ownersPayment);
      const after = await Promise.all(theirs.map((payment) => this.#cancelPayment(tx, payment, now)));
      return { outcome: 'cancelled', refunding: after.filter(({ state }) => state === 'refunding') };
    });
  }

  async find(by: { orderId: string } | { paymentKey: string }): Promise<Payment | undefined> {
    const database = await this.#options.database.get();
    return 'orderId' in by
      ? statements.findByOrder(database, by.orderId)
      : statements.findByKey(database, by.paymentKey);
  }

  async listOf(visitor: string): Promise<Payment[]> {
    return statements.listPayments(await this.#options.database.get(), visitor);
  }

  async takeDue(): Promise<Payment[]> {
    const now = this.#options.clock.now();
    return statements.takeDue(await this.#options.database.poll(), new Date(now), new Date(now + CHECK_AGAIN_MS));
  }

  async hasDue(): Promise<boolean> {
    return statements.hasDue(await this.#options.database.poll());
  }

  async noteReleased(orderId: string): Promise<void> {
    await statements.setReleased(await this.#options.database.get(), orderId);
  }

  #prepare(purchase: Pick<Payment, 'paymentType' | 'referenceId' | 'visitor'>): Promise<PrepareOutcome> {
    const { paymentType, referenceId, visitor } = purchase;
    return this.#decide(async (tx, now): Promise<PrepareOutcome> => {
      const changes = this.#options.payables[paymentType];
      const payable = await changes.find(tx, referenceId, visitor);
      if (payable?.visitor !== visitor) return { outcome: 'no-payable' };
      const known = await statements.findUnderWay(tx, purchase);
      if (known !== undefined) return { outcome: 'prepared', payment: known };
      if (payable.state === 'confirmed') return { outcome: 'already-paid' };
      if (payable.state === 'cancelled') return { outcome: 'not-held' };
      const excess = await changes.excess?.(tx, referenceId, now, visitor);
      if (excess !== undefined) return { outcome: 'over-limit', ...excess };
      const [orderId, paymentKey] = [`o_${randomId()}`, `p_${randomId()}`];
      await statements.insertPayment(tx, { ...payable, ...purchase, orderId, paymentKey }, now);
      return { outcome: 'prepared', payment: (await statements.findByOrder(tx, orderId))! };
    });
  }

  async #settleCapture(tx: Transaction, payment: Payment, now: Date): Promise<PaymentState> {
    const { paymentType, referenceId, visitor } = payment;
    const wasAsked = payment.askedAt !== undefined;
    const isConfirmed = await this.#options.payables[paymentType].confirm(tx, referenceId, now, visitor, wasAsked);
    return isConfirmed ? 'confirmed' : 'refunding';
  }

  /** Takes back what a refunded payment bought, unless a later buyer has paid for it. */
  async #takeBack(tx: Transaction, payment: Payment, now: Date): Promise<void> {
    const { paymentType, referenceId, reservationId, orderId } = payment;
    const payments = reservationId === null ? [] : await statements.lockPaymentsOf(tx, reservationId);
    if ((latestConfirmed(payments)?.orderId ?? orderId) !== orderId) return;
    await this.#options.payables[paymentType].cancel(tx, referenceId, now);
  }

  async #cancelPayment(tx: Transaction, payment: Payment, now: Date): Promise<Payment> {
    const transition = transitions[payment.state].cancelled;
    return typeof transition === 'object' ? this.#setState(tx, payment, transition.to, now) : payment;
  }

  async #setState(tx: Transaction, payment: Payment, state: PaymentState, now: Date): Promise<Payment> {
    await statements.setState(tx, payment.orderId, state, this.#lookAt(payment, state, now), now);
    if (state === 'confirmed') await this.#options.append(tx, toConfirmedRecord(payment, now));
    if (state === 'refunded') {
      const isCancelled = await this.#isCancelled(tx, payment);
      await this.#options.append(tx, toRefundedRecord(payment, now, isCancelled));
    }
    return { ...payment, state };
  }

  /** Whether the payer's reservation is cancelled: one that a later buyer has is not theirs. */
  async #isCancelled(tx: Transaction, { reservationId, visitor }: Payment): Promise<boolean> {
    if (reservationId === null) return false;
    const reservation = await this.#options.payables.reservation.find(tx, reservationId, visitor);
    return reservation?.state === 'cancelled' && reservation.visitor === visitor;
  }

  /** When the keeper must check a payment in this state, in case this process dies. */
  #lookAt(payment: Payment, state: PaymentState, now: Date): Date | null {
    const isUnfinished =
      state === 'confirming' || state === 'refunding' || (state === 'confirmed' && holdsSlot(payment));
    return isUnfinished ? new Date(now.getTime() + this.#options.timing.checkAfterMs) : null;
  }

  async #decide<T>(work: (tx: Transaction, now: Date) => Promise<T>): Promise<T> {
    const database = await this.#options.database.get();
    return inTransaction(database, (tx) => work(tx, new Date(this.#options.clock.now())));
  }
}

/** The payment of the current owner: each owner has paid the previous one. */
function latestConfirmed(payments: readonly Payment[]): Payment | undefined {
  return payments
    .filter(({ state }) => state === 'confirmed')
    .sort((a, b) => (b.confirmedNo ?? 0) - (a.confirmedNo ?? 0))[0];
}

function toRefusal(kept: Exclude<KeepOutcome, { outcome: 'kept' }>, { eventId }: Payment): AskOutcome {
  if (kept.outcome === 'over-limit') return kept;
  // Without an event there is no line to be admitted by.
  if (kept.outcome === 'ended' || eventId === null) return { outcome: 'hold-ended' };
  return { outcome: 'needs-admission', eventId };
}

function mismatchOf(payment: Payment, asked: AskRequest): 'paymentKey' | 'amount' | 'currency' | undefined {
  if (asked.paymentKey !== payment.paymentKey) return 'paymentKey';
  if (asked.amount !== payment.amount) return 'amount';
  return asked.currency !== undefined && asked.currency !== payment.currency ? 'currency' : undefined;
}

function randomId(): string {
  return randomBytes(15).toString('base64url');
}
