/** Payments. URR's front end pays in one request (`process`), or in two around the dialog of the provider. */

import { type Answer, answerWith, type Translation } from '../../http/translation.ts';
import type { PaymentAnswer } from '../../payments/http/payment-answer.ts';
import { type Ours, Refusal, toFields, translate } from './ours.ts';
import { toWhole } from './pages.ts';

/** What URR gives without a key of its own. */
const NO_CLIENT_KEY = 'test_ck_dummy';

export const paymentTranslations: readonly Translation[] = [
  translate('POST', '/api/v1/payments/prepare', async ({ body }, { post }) => {
    const payment = await post<PaymentAnswer>('/api/payments/prepare', body);
    const { orderId, amount, clientKey = NO_CLIENT_KEY } = payment;
    return answerWith(200, { ...payment, orderId, amount, clientKey });
  }),

  translate('POST', '/api/v1/payments/confirm', async ({ body }, ours) => {
    const { orderId, amount, method = 'toss' } = toFields(body);
    // The client's key is that of the provider's dialog. Ours belongs to the order, which only its owner can read.
    const { paymentKey } = await ours.get<PaymentAnswer>(`/api/payments/order/${encodeURIComponent(String(orderId))}`);
    return toPaid(await ours.post<PaymentAnswer>('/api/payments/confirm', { orderId, paymentKey, amount, method }));
  }),

  translate('POST', '/api/v1/payments/process', async ({ body }, ours) => {
    const { reservationId, paymentType, referenceId, paymentMethod: method } = toFields(body);
    const prepared = await prepare({ reservationId, paymentType, referenceId }, ours);
    if (prepared.status === 'confirmed') return toPaid(prepared, 'Payment already completed');
    const { orderId, paymentKey, amount } = prepared;
    return toPaid(await ours.post<PaymentAnswer>('/api/payments/confirm', { orderId, paymentKey, amount, method }));
  }),

  translate('POST', '/api/v1/payments/:paymentKey/cancel', async ({ params }, { post }) => {
    const { amount } = await post<PaymentAnswer>(`/api/payments/${params.paymentKey}/cancel`);
    return answerWith(200, { success: true, message: 'Payment cancelled successfully', refundAmount: amount });
  }),

  translate('GET', '/api/v1/payments/order/:orderId', async ({ params }, { get }) =>
    answerWith(200, { payment: toRow(await get<PaymentAnswer>(`/api/payments/order/${params.orderId}`)) }),
  ),

  translate('GET', '/api/v1/payments/user/me', async ({ query }, { get }) => {
    const payments = (await get<PaymentAnswer[]>('/api/payments/user/me')).map(toRow);
    const limit = toWhole(query.get('limit'), { default: 10, max: 100 });
    const offset = toWhole(query.get('offset'), { default: 0, max: 1_000_000 });
    const pagination = { total: payments.length, limit, offset };
    return answerWith(200, { payments: payments.slice(offset, offset + limit), pagination });
  }),
];

/** Paying twice is a success at URR. */
async function prepare(wanted: Readonly<Record<string, unknown>>, { get, post }: Ours): Promise<PaymentAnswer> {
  try {
    return await post<PaymentAnswer>('/api/payments/prepare', wanted);
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'ALREADY_PAID') throw error;
    const id = wanted.reservationId ?? wanted.referenceId;
    const mine = await get<PaymentAnswer[]>('/api/payments/user/me');
    const paid = mine.find(({ referenceId, status }) => referenceId === id && status === 'confirmed');
    if (paid === undefined) throw error;
    return paid;
  }
}

/** 202: the provider has not answered yet. The client takes it for a success, and its list of reservations tells. */
function toPaid(payment: PaymentAnswer, message = 'Payment completed'): Answer {
  const { orderId, paymentKey, amount, method = null, status, createdAt } = payment;
  const isPaid = status === 'confirmed';
  return answerWith(isPaid ? 200 : 202, {
    ...{ success: isPaid, message: isPaid ? message : 'Payment pending' },
    payment: { id: orderId, orderId, paymentKey, amount, method, status, approvedAt: createdAt },
  });
}

function toRow(payment: PaymentAnswer) {
  const { orderId, paymentKey, amount, method = null, status, createdAt, paymentType, referenceId } = payment;
  return {
    ...{ id: orderId, order_id: orderId, payment_key: paymentKey, amount, method, created_at: createdAt },
    ...{ status: status === 'prepared' ? 'pending' : status, payment_type: paymentType, reference_id: referenceId },
    reservation_id: payment.reservationId ?? null,
  };
}
