/** The role that brings to an end what was left lying: holds that have ended, payments under way, cancelled events. */
import type { Logger } from 'pino';
import type { Cashier } from './cashier.ts';
import type { PaymentStore } from './payment-store.ts';

export interface KeeperOptions {
  cashier: Pick<Cashier, 'look' | 'cancel'>;
  payments: Pick<PaymentStore, 'takeDue'>;
  holds: {
    freeEnded(): Promise<number>;
    /** Reservations that are still alive though their event was cancelled, in order, behind `after`; a bounded number. */
    listUnderCancelledEvents(after: string): Promise<string[]>;
  };
  log: Logger;
}

/** One pass of the role. */
export type Keeper = () => Promise<'done' | 'again'>;

export function createKeeper({ cashier, payments, holds, log }: KeeperOptions): Keeper {
  // How far the walk over reservations of cancelled events has come: one that cannot be cancelled yet, since its payment
  // is under way, must not hide those behind it.
  let cancelledTo = '';

  return async () => {
    const freed = await holds.freeEnded();
    const due = await payments.takeDue();
    for (const payment of due) {
      // One that fails is due again soon and must not keep the others waiting.
      await cashier.look(payment).catch((error) => {
        log.warn({ err: error, orderId: payment.orderId }, 'a payment could not be looked after; tried again soon');
      });
    }
    const orphans = await holds.listUnderCancelledEvents(cancelledTo);
    for (const reservationId of orphans) await cashier.cancel(reservationId);
    cancelledTo = orphans.at(-1) ?? '';
    return freed + due.length + orphans.length > 0 ? 'again' : 'done';
  };
}
