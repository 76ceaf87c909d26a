/**
 * The role `keeper`: expires holds that have ended, continues unfinished payments, refunds cancelled events, and erases buyers of
 * reservations that ended.
 */
import type { Logger } from 'pino';
import type { Clock } from '../platform/clock.ts';
import type { PassOutcome } from '../platform/concurrency/loop.ts';
import type { Cashier } from './cashier.ts';
import type { PaymentStore } from './payment-store.ts';

export interface KeeperOptions {
  cashier: Pick<Cashier, 'check' | 'cancel'>;
  payments: Pick<PaymentStore, 'takeDue'>;
  holds: {
    freeEnded(): Promise<number>;
    /** A page of the live reservations of cancelled events, sorted by id, after the id `after`. */
    listUnderCancelledEvents(after: string): Promise<string[]>;
  };
  bookings: { eraseBuyers(): Promise<number> };
  /** Whether something becomes due later. Absent: assume so, because other processes may add work. */
  hasPending?: (() => Promise<boolean>) | undefined;
  clock: Clock;
  log: Logger;
}

/** Reads all buyers, and days matter, not minutes. */
const ERASE_EVERY_MS = 3_600_000;

/** One pass of the role. */
export type Keeper = () => Promise<PassOutcome>;

export function createKeeper(options: KeeperOptions): Keeper {
  const { cashier, payments, holds, bookings, hasPending = async () => true, clock, log } = options;
  // The position in the reservations of cancelled events: one with a payment under way cannot be cancelled yet and must not
  // block those behind it.
  let cancelledTo = '';
  let erasedAt = Number.NEGATIVE_INFINITY;

  return async () => {
    const freed = await holds.freeEnded();
    if (clock.now() - erasedAt >= ERASE_EVERY_MS) {
      erasedAt = clock.now();
      await bookings.eraseBuyers();
    }
    const due = await payments.takeDue();
    for (const payment of due) {
      // One failure must not delay the others.
      await cashier.check(payment).catch((error) => {
        log.warn({ err: error, orderId: payment.orderId }, 'checking a payment failed, will retry');
      });
    }
    const orphans = await holds.listUnderCancelledEvents(cancelledTo);
    for (const reservationId of orphans) await cashier.cancel(reservationId);
    cancelledTo = orphans.at(-1) ?? '';
    if (freed + due.length + orphans.length > 0) return 'again';
    return (await hasPending()) ? 'done' : 'idle';
  };
}
