/** Pays: prepares, confirms, and polls while the payment provider has not decided. */
import { type Answer, send } from '../shared/api.ts';
import type { PaymentAnswer } from '../shared/wire.ts';
import { fill, texts } from '../shared/words.ts';

export const METHODS = ['card-approve', 'card-decline', 'card-late', 'card-timeout'] as const;
export type Method = (typeof METHODS)[number];

/** What is paid for. */
export type Purchase = { reservationId: string } | { paymentType: 'transfer' | 'membership'; referenceId: string };

/** Without `problem` the item is no longer available; each page has its own text for that. */
export type PayOutcome = { paid: true } | { paid: false; problem?: string; isOver: boolean };

const POLL_MS = 1_500;

/** `onWaiting` is called when the provider has not decided yet. */
export async function pay(purchase: Purchase, method: Method, onWaiting: () => void): Promise<PayOutcome> {
  const prepared = await send<PaymentAnswer>('POST', '/api/payments/prepare', purchase);
  if (!prepared.ok) return failed(prepared.problem);
  const { orderId, paymentKey, amount } = prepared.value;
  const answer = await send<PaymentAnswer>('POST', '/api/payments/confirm', { orderId, paymentKey, amount, method });
  if (!answer.ok && answer.problem.code !== 'OFFLINE') return failed(answer.problem);
  if (answer.ok && answer.value.status === 'confirmed') return { paid: true };
  // Undecided, or the response was lost: poll the order.
  onWaiting();
  return waitFor(orderId);
}

async function waitFor(orderId: string): Promise<PayOutcome> {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    const order: Answer<PaymentAnswer> = await send('GET', `/api/payments/order/${orderId}`);
    if (!order.ok) continue;
    const { status } = order.value;
    if (status === 'confirmed') return { paid: true };
    if (status === 'declined') return { paid: false, problem: texts.declined, isOver: false };
    if (status === 'refunding' || status === 'refunded') return { paid: false, problem: texts.refunded, isOver: true };
    if (status === 'cancelled') return { paid: false, isOver: true };
    if (status === 'prepared') return { paid: false, problem: texts.payFailed, isOver: false };
  }
}

function failed({ code, retryAfter }: { code: string; retryAfter: number | undefined }): PayOutcome {
  switch (code) {
    case 'PAYMENT_DECLINED':
    case 'PAYMENT_OVER':
      return { paid: false, problem: texts.declined, isOver: false };
    case 'PAYMENT_REFUNDED':
      return { paid: false, problem: texts.refunded, isOver: true };
    case 'HOLD_ENDED':
    case 'TRANSFER_NOT_FOUND':
    case 'MEMBERSHIP_NOT_FOUND':
      return { paid: false, isOver: true };
    case 'ALREADY_PAID':
      return { paid: true };
    case 'RATE_LIMITED':
      return { paid: false, problem: fill(texts.reasonBusy, { seconds: retryAfter ?? 60 }), isOver: false };
    default:
      return { paid: false, problem: texts.payFailed, isOver: false };
  }
}
