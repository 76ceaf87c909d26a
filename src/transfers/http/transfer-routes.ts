/** Transfers: listing what one has, and what others have listed. It is paid for like anything else. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { AppError } from '../../http/errors.ts';
import { EventParams } from '../../http/event-params.ts';
import type { Identity } from '../../identity/identity.ts';
import { requireKnown } from '../../identity/require-known.ts';
import { toItemsAnswer } from '../../shop/http/to-reservation-answer.ts';
import type { Transfer, TransferStore } from '../transfer-store.ts';
import { TransferAnswer } from './transfer-answer.ts';

export interface TransfersDoorOptions {
  transfers: TransferStore;
  identity: Identity;
}

const Id = Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$', description: 'letters, digits, _ and -, 64 at most' });
const ListBody = Type.Object(
  { reservationId: Id, price: Type.Integer({ minimum: 0, maximum: 2_000_000_000 }) },
  { additionalProperties: false },
);
const TransferParams = Type.Object({ transferId: Id });

export const transferRoutes: FastifyPluginAsyncTypebox<TransfersDoorOptions> = async (app, { transfers, identity }) => {
  const schema = { tags: ['shop: transfers'] };
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
  });

  app.post(
    '/transfers',
    {
      schema: {
        ...schema,
        summary: 'List a reservation of one’s own for transfer, for at most what was paid',
        body: ListBody,
        response: { 200: TransferAnswer, 201: TransferAnswer },
      },
    },
    async (request, reply) => {
      const { id } = requireKnown(request, identity);
      const { reservationId, price } = request.body;
      const outcome = await transfers.list(reservationId, id, price);
      if (outcome.outcome === 'no-reservation') throw new AppError('RESERVATION_NOT_FOUND');
      if (outcome.outcome === 'not-transferable') throw new AppError('NOT_TRANSFERABLE');
      if (outcome.outcome === 'too-dear') {
        const message = `price must be at most ${outcome.most}, which is what was paid`;
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
        summary: 'What is to be had of an event',
        querystring: Type.Object({ eventId: EventParams.properties.eventId }, { additionalProperties: false }),
        response: { 200: Type.Array(TransferAnswer) },
      },
    },
    async ({ query }) => (await transfers.listOpen(query.eventId)).map((transfer) => toAnswer(transfer)),
  );

  app.get(
    '/transfers/my',
    {
      schema: {
        ...schema,
        summary: 'What one has listed, sold or bought',
        response: { 200: Type.Array(TransferAnswer) },
      },
    },
    async (request) => {
      const { id } = requireKnown(request, identity);
      return (await transfers.listOf(id)).map((transfer) => toAnswer(transfer, id));
    },
  );

  app.get(
    '/transfers/:transferId',
    { schema: { ...schema, summary: 'One transfer', params: TransferParams, response: { 200: TransferAnswer } } },
    async (request) => {
      const { id } = requireKnown(request, identity);
      const transfer = await transfers.find(request.params.transferId);
      if (transfer === undefined) throw new AppError('TRANSFER_NOT_FOUND');
      // What is over concerns only those who had to do with it.
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
        summary: 'Take one’s listing back, unless somebody pays for it',
        params: TransferParams,
        response: { 200: TransferAnswer },
      },
    },
    async (request) => {
      const { id } = requireKnown(request, identity);
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
