/** The role that brings to an end what was left lying: holds that have ended, payments under way, cancelled events. */
import type { Logger } from 'pino';
import type { Cashier } from './cashier.ts';
import type { PaymentStore } from './payment-store.ts';

export interface KeeperOptions {
  cashier: Pick<Cashier, 'look' | 'cancel'>;
  payments: Pick<PaymentStore, 'takeDue'>;
  holds: {
    freeEnded(): Promise<number>;
    /** Reservations that are still alive though their event was cancelled; a bounded number. */
    listUnderCancelledEvents(): Promise<string[]>;
  };
  log: Logger;
}

export async function runKeeperOnce({ cashier, payments, holds, log }: KeeperOptions): Promise<'done' | 'again'> {
  const freed = await holds.freeEnded();
  const due = await payments.takeDue();
  for (const payment of due) {
    // One that fails is due again soon and must not keep the others waiting.
    await cashier.look(payment).catch((error) => {
      log.warn({ err: error, orderId: payment.orderId }, 'a payment could not be looked after; tried again soon');
    });
  }
  const orphans = await holds.listUnderCancelledEvents();
  for (const reservationId of orphans) await cashier.cancel(reservationId);
  return freed + due.length > 0 ? 'again' : 'done';
}
