/** Transfers: list, browse, cancel. Paid for with the payment endpoints. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { AppError } from '../../http/errors.ts';
import { EventParams } from '../../http/event-params.ts';
import type { SharedReads } from '../../http/shared-reads.ts';
import type { Identity } from '../../identity/identity.ts';
import { requireVisitor } from '../../identity/require-visitor.ts';
import { toItemsAnswer } from '../../shop/http/to-reservation-answer.ts';
import type { Transfer, TransferStore } from '../transfer-store.ts';
import { TransferAnswer } from './transfer-answer.ts';

export interface TransferRoutesOptions {
  transfers: TransferStore;
  identity: Identity;
  reads: SharedReads;
}

const Id = Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$', description: '1 to 64 letters, digits, _ or -' });
const ListBody = Type.Object(
  { reservationId: Id, price: Type.Integer({ minimum: 0, maximum: 2_000_000_000 }) },
  { additionalProperties: false },
);
const TransferParams = Type.Object({ transferId: Id });

export const transferRoutes: FastifyPluginAsyncTypebox<TransferRoutesOptions> = async (
  app,
  { transfers, identity, reads },
) => {
  const schema = { tags: ['shop: transfers'] };
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
  });

  app.post(
    '/transfers',
    {
      schema: {
        ...schema,
        operationId: 'createTransfer',
        security: [{ visitor: [] }],
        errors: ['RESERVATION_NOT_FOUND', 'NOT_TRANSFERABLE'],
        summary: 'List one of your reservations for transfer, for at most the amount paid',
        body: ListBody,
        response: { 200: TransferAnswer, 201: TransferAnswer },
      },
    },
    async (request, reply) => {
      const { id } = requireVisitor(request, identity);
      const { reservationId, price } = request.body;
      const outcome = await transfers.list(reservationId, id, price);
      if (outcome.outcome === 'no-reservation') throw new AppError('RESERVATION_NOT_FOUND');
      if (outcome.outcome === 'not-transferable') throw new AppError('NOT_TRANSFERABLE');
      if (outcome.outcome === 'too-dear') {
        const message = `price must be at most ${outcome.most}, the amount paid`;
        throw new AppError('INVALID_INPUT', { message, fields: [{ field: 'price', message }] });
      }
      return reply.code(outcome.outcome === 'listed' ? 201 : 200).send(toAnswer(outcome.transfer, id));
    },
  );

  app.get(
    '/transfers',
    {
      schema: {
        ...schema,
        operationId: 'listTransfers',
        security: [],
        errors: ['RATE_LIMITED'],
        summary: 'Open listings of an event, or of all events',
        querystring: Type.Object(
          { eventId: Type.Optional(EventParams.properties.eventId) },
          { additionalProperties: false },
        ),
        response: { 200: Type.Array(TransferAnswer) },
      },
    },
    async (request) => {
      const { eventId } = request.query;
      const found = await reads.read(`transfers ${eventId ?? ''}`, request, () => transfers.listOpen(eventId));
      return found.map((transfer) => toAnswer(transfer));
    },
  );

  app.get(
    '/transfers/my',
    {
      schema: {
        ...schema,
        operationId: 'listMyTransfers',
        security: [{ visitor: [] }],
        summary: 'Your listings, sales and purchases',
        response: { 200: Type.Array(TransferAnswer) },
      },
    },
    async (request) => {
      const { id } = requireVisitor(request, identity);
      return (await transfers.listOf(id)).map((transfer) => toAnswer(transfer, id));
    },
  );

  app.get(
    '/transfers/:transferId',
    {
      schema: {
        ...schema,
        operationId: 'getTransfer',
        security: [{ visitor: [] }],
        errors: ['TRANSFER_NOT_FOUND'],
        summary: 'One transfer',
        params: TransferParams,
        response: { 200: TransferAnswer },
      },
    },
    async (request) => {
      const { id } = requireVisitor(request, identity);
      const transfer = await transfers.find(request.params.transferId);
      if (transfer === undefined) throw new AppError('TRANSFER_NOT_FOUND');
      // A closed transfer is visible only to its seller and buyer.
      const answer = toAnswer(transfer, id);
      if (transfer.state !== 'listed' && answer.role === undefined) throw new AppError('TRANSFER_NOT_FOUND');
      return answer;
    },
  );

  app.post(
    '/transfers/:transferId/cancel',
    {
      schema: {
        ...schema,
        operationId: 'cancelTransfer',
        security: [{ visitor: [] }],
        errors: ['TRANSFER_NOT_FOUND', 'TRANSFER_OVER', 'PAYMENT_IN_PROGRESS'],
        summary: 'Cancel your listing, unless a buyer is paying',
        params: TransferParams,
        response: { 200: TransferAnswer },
      },
    },
    async (request) => {
      const { id } = requireVisitor(request, identity);
      const outcome = await transfers.cancel(request.params.transferId, id);
      if (outcome.outcome === 'no-transfer') throw new AppError('TRANSFER_NOT_FOUND');
      if (outcome.outcome === 'over') throw new AppError('TRANSFER_OVER');
      if (outcome.outcome === 'in-progress') throw new AppError('PAYMENT_IN_PROGRESS', { retryAfterSeconds: 5 });
      return toAnswer(outcome.transfer, id);
    },
  );
};

function toAnswer(transfer: Transfer, visitor?: string): TransferAnswer {
  const { transferId, reservationId, eventId, items, price, currency, state, createdAt, completedAt } = transfer;
  const role = visitor === transfer.seller ? 'seller' : visitor === transfer.buyer ? 'buyer' : undefined;
  return {
    ...{ transferId, eventId, ...toItemsAnswer(items), price, currency, status: state },
    createdAt: new Date(createdAt).toISOString(),
    ...(visitor === undefined || role === undefined ? {} : { role, reservationId }),
    ...(completedAt === undefined ? {} : { completedAt: new Date(completedAt).toISOString() }),
  };
}
