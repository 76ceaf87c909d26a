/** Processes a webhook message of the provider. */
import type { Logger } from 'pino';
import type { Cashier } from './cashier.ts';
import type { PaymentStore } from './payment-store.ts';
import type { PaymentMessage, WebhookSignatures } from './webhooks.ts';

export interface ReceiverOptions {
  signatures: WebhookSignatures;
  cashier: Pick<Cashier, 'settle'>;
  store: Pick<PaymentStore, 'find'>;
  now: () => number;
  log: Logger;
}

export type ReceiveOutcome = 'done' | 'forged' | 'unknown-order' | 'wrong-amount';
export type ReceiveMessage = (body: string, signature: string) => Promise<ReceiveOutcome>;

const HAPPENED = {
  'payment.captured': 'captured',
  'payment.declined': 'declined',
  'payment.refunded': 'refunded',
} as const satisfies Record<PaymentMessage['type'], string>;

export function createReceiver({ signatures, cashier, store, now, log }: ReceiverOptions): ReceiveMessage {
  return async (body, signature) => {
    const message = signatures.read(body, signature, Math.floor(now() / 1000));
    if (message === undefined) return 'forged';
    const { id, type, orderId, amount, currency } = message;
    const payment = await store.find({ orderId });
    if (payment === undefined) return 'unknown-order';
    if (payment.amount !== amount || payment.currency !== currency) {
      log.error({ orderId, amount, currency }, 'webhook amount differs from the order');
      return 'wrong-amount';
    }
    await cashier.settle(orderId, HAPPENED[type], id);
    return 'done';
  };
}
