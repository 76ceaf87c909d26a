/** Payments: prepare, confirm, cancel, list. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { AppError } from '../../http/errors.ts';
import type { Identity } from '../../identity/identity.ts';
import { requireVisitor } from '../../identity/require-visitor.ts';
import type { Visitor } from '../../identity/visitor.ts';
import type { RateLimit } from '../../platform/rate-limit.ts';
import { type PaymentType, paymentTypes } from '../../records/record.ts';
import type { HoldStore } from '../../shop/hold-store.ts';
import { type BuyerOptions, findBuyer } from '../../shop/http/holding.ts';
import { toLimitError } from '../../shop/http/over-limit.ts';
import type { CancelReservation } from '../cancel-reservation.ts';
import type { Cashier } from '../cashier.ts';
import type { Payment, PaymentStore } from '../payment-store.ts';
import { PaymentAnswer } from './payment-answer.ts';
import { confirmErrors, toConfirmed, toPaymentAnswer } from './to-payment-answer.ts';

export interface PaymentRoutesOptions {
  payments: PaymentStore;
  cashier: Cashier;
  holds: Pick<HoldStore, 'find'>;
  cancel: CancelReservation;
  identity: Identity;
  paymentsPerVisitor: RateLimit;
  /** The public key for the provider's dialog in the browser. */
  clientKey: string | undefined;
  /** The conditions of a new hold. */
  holding: BuyerOptions;
}

/** Fits the integers of the database. */
const MAX_AMOUNT = 2_000_000_000;

const Id = Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$', description: '1 to 64 letters, digits, _ or -' });
const Amount = Type.Integer({ minimum: 0, maximum: MAX_AMOUNT });
const Currency = Type.String({ pattern: '^[A-Z]{3}$', description: 'three capital letters (ISO 4217)' });

const PrepareBody = Type.Object(
  {
    reservationId: Type.Optional(Id),
    paymentType: Type.Optional(Type.Enum([...paymentTypes])),
    referenceId: Type.Optional(Id),
    amount: Type.Optional(Amount),
    currency: Type.Optional(Currency),
  },
  { additionalProperties: false },
);
const ConfirmBody = Type.Object(
  {
    orderId: Id,
    paymentKey: Id,
    amount: Amount,
    currency: Type.Optional(Currency),
    method: Type.Optional(
      Type.String({ pattern: '^[a-z0-9_-]{1,64}$', description: 'payment method in the provider’s terms' }),
    ),
  },
  { additionalProperties: false },
);

export const paymentRoutes: FastifyPluginAsyncTypebox<PaymentRoutesOptions> = async (app, options) => {
  const { payments, cashier, holds, cancel, identity } = options;
  const schema = { tags: ['payments'], response: { 200: PaymentAnswer } };

  app.post(
    '/payments/prepare',
    {
      schema: {
        ...schema,
        operationId: 'preparePayment',
        security: [{ visitor: [] }],
        errors: [
          'RESERVATION_NOT_FOUND',
          'TRANSFER_NOT_FOUND',
          'MEMBERSHIP_NOT_FOUND',
          'ALREADY_PAID',
          'HOLD_ENDED',
          'LIMIT_PER_PERSON',
          'PAYMENT_MISMATCH',
        ],
        summary: 'Create or return the order for a held reservation, a transfer or a membership',
        body: PrepareBody,
      },
    },
    async (request) => {
      const visitor = requireVisitor(request, identity);
      const { amount, currency } = request.body;
      const { referenceId, paymentType } = toPurchase(request.body);
      const outcome = await payments.prepare(referenceId, visitor.id, paymentType);
      if (outcome.outcome === 'no-payable') throw new AppError(NOT_FOUND[paymentType]);
      if (outcome.outcome === 'already-paid') throw new AppError('ALREADY_PAID');
      if (outcome.outcome === 'not-held')
        throw new AppError('HOLD_ENDED', { message: `The ${paymentType} was cancelled.` });
      if (outcome.outcome === 'over-limit') throw toLimitError(outcome);
      refuseOther(outcome.payment, { amount, currency });
      const { clientKey } = options;
      return { ...toPaymentAnswer(outcome.payment), ...(clientKey === undefined ? {} : { clientKey }) };
    },
  );

  app.post(
    '/payments/confirm',
    {
      schema: {
        ...schema,
        operationId: 'confirmPayment',
        security: [{ visitor: [] }],
        errors: [...confirmErrors, 'RATE_LIMITED'],
        summary: 'Pay. A repeated request charges once. 202: no result from the provider yet, poll the order',
        body: ConfirmBody,
        response: { 200: PaymentAnswer, 202: PaymentAnswer },
      },
    },
    async (request, reply) => {
      const visitor = requireVisitor(request, identity);
      countAttempt(visitor);
      const { orderId, paymentKey, amount, currency, method = 'card-approve' } = request.body;
      const asked = { orderId, paymentKey, amount, currency, method, visitor: visitor.id };
      let outcome = await cashier.confirm(asked);
      if (outcome.outcome === 'needs-admission') {
        const admission = await requireAdmission(outcome.eventId, request, visitor);
        outcome = await cashier.confirm({ ...asked, admission });
      }
      const payment = toConfirmed(outcome);
      return reply.code(payment.state === 'confirming' ? 202 : 200).send(toPaymentAnswer(payment));
    },
  );

  app.post(
    '/payments/:paymentKey/cancel',
    {
      schema: {
        ...schema,
        operationId: 'cancelPayment',
        security: [{ visitor: [] }],
        errors: ['PAYMENT_NOT_FOUND', 'RESERVATION_NOT_FOUND', 'NOT_CANCELLABLE', 'PAYMENT_IN_PROGRESS'],
        summary: 'Cancel a paid reservation and refund it, until the refund deadline',
        params: Type.Object({ paymentKey: Id }),
      },
    },
    async (request) => {
      const { paymentKey } = request.params;
      const { reservationId, visitor } = await getOwn(request, { paymentKey });
      if (reservationId === null) throw new AppError('NOT_CANCELLABLE', { message: 'Memberships are not refunded.' });
      const reservation = await holds.find(reservationId);
      if (reservation === undefined) throw new AppError('RESERVATION_NOT_FOUND');
      if (reservation.visitor !== visitor)
        throw new AppError('NOT_CANCELLABLE', { message: 'The reservation is not yours.' });
      await cancel(reservation);
      return toPaymentAnswer(await getOwn(request, { paymentKey }));
    },
  );

  app.get(
    '/payments/order/:orderId',
    {
      schema: {
        ...schema,
        operationId: 'getOrder',
        security: [{ visitor: [] }],
        errors: ['PAYMENT_NOT_FOUND'],
        summary: 'The state of an order',
        params: Type.Object({ orderId: Id }),
      },
    },
    async (request) => toPaymentAnswer(await getOwn(request, { orderId: request.params.orderId })),
  );

  app.get(
    '/payments/user/me',
    {
      schema: {
        ...schema,
        operationId: 'listMyPayments',
        security: [{ visitor: [] }],
        summary: 'Your payments, newest first',
        response: { 200: Type.Array(PaymentAnswer) },
      },
    },
    async (request) => (await payments.listOf(requireVisitor(request, identity).id)).map(toPaymentAnswer),
  );

  async function getOwn(request: FastifyRequest, by: { orderId: string } | { paymentKey: string }): Promise<Payment> {
    const visitor = requireVisitor(request, identity);
    const payment = await payments.find(by);
    if (payment?.visitor !== visitor.id) throw new AppError('PAYMENT_NOT_FOUND');
    return payment;
  }

  /** Paying for a hold that has ended needs what a new hold needs. */
  async function requireAdmission(eventId: string, request: FastifyRequest, visitor: Visitor): Promise<string> {
    const buyer = await findBuyer(eventId, request, options.holding);
    if (buyer.outcome === 'admitted' && buyer.visitor === visitor.id) return buyer.admission;
    throw new AppError('HOLD_ENDED', {
      message: 'The hold has ended, and so has your turn. Nothing was charged. Join the line again.',
      redirectTo: `/queue/${eventId}`,
    });
  }

  function countAttempt(visitor: Visitor): void {
    const seconds = options.paymentsPerVisitor.secondsToWait(visitor.id);
    if (seconds > 0) {
      const message = `Too many payment attempts. Try again in ${seconds} seconds.`;
      throw new AppError('RATE_LIMITED', { message, retryAfterSeconds: seconds });
    }
    options.paymentsPerVisitor.count(visitor.id);
  }
};

const NOT_FOUND = {
  reservation: 'RESERVATION_NOT_FOUND',
  transfer: 'TRANSFER_NOT_FOUND',
  membership: 'MEMBERSHIP_NOT_FOUND',
} as const;

function toPurchase(body: Static<typeof PrepareBody>): { referenceId: string; paymentType: PaymentType } {
  const { paymentType = 'reservation', reservationId, referenceId } = body;
  const id = paymentType === 'reservation' ? (reservationId ?? referenceId) : referenceId;
  if (id !== undefined) return { referenceId: id, paymentType };
  const field = paymentType === 'reservation' ? 'reservationId' : 'referenceId';
  const message = `${field} must be the id of the ${paymentType} to pay for`;
  throw new AppError('INVALID_INPUT', { message, fields: [{ field, message }] });
}

/** Rejects a price that differs from the order before anything is charged. */
function refuseOther(payment: Payment, asked: { amount: number | undefined; currency: string | undefined }): void {
  for (const field of ['amount', 'currency'] as const) {
    if (asked[field] === undefined || asked[field] === payment[field]) continue;
    const message = `${field} must be ${payment[field]}`;
    throw new AppError('PAYMENT_MISMATCH', { fields: [{ field, message }] });
  }
}
