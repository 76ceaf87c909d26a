/** Operator endpoints for sales. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { AppError } from '../../http/errors.ts';
import { EventParams } from '../../http/event-params.ts';
import type { Operators } from '../../identity/operators.ts';
import type { EventStore } from '../event-store.ts';
import { EventAnswer } from './event-answer.ts';
import { SalesAnswer } from './sales-answer.ts';
import type { EventAnswers } from './to-event-answer.ts';

export interface SalesOptions {
  events: Pick<EventStore, 'listAllEvents' | 'readSales'>;
  answers: EventAnswers;
  operators: Operators;
}

export const salesRoutes: FastifyPluginAsyncTypebox<SalesOptions> = async (app, { events, answers, operators }) => {
  const schema = { tags: ['operators: shop'], security: [{ operator: [] }] };
  app.addHook('onRequest', async (request) => operators.require(request));

  app.get(
    '/admin/events',
    {
      schema: {
        ...schema,
        operationId: 'listAllEvents',
        summary: 'All events, including drafts',
        response: { 200: Type.Array(EventAnswer) },
      },
    },
    async () => answers.all(await events.listAllEvents()),
  );

  app.get(
    '/admin/events/:eventId/sales',
    {
      schema: {
        ...schema,
        operationId: 'getEventSales',
        errors: ['SHOP_EVENT_NOT_FOUND'],
        summary: 'Sales and remaining stock of an event',
        params: EventParams,
        response: { 200: SalesAnswer },
      },
    },
    async (request) => {
      const sales = await events.readSales(request.params.eventId);
      if (sales === undefined) throw new AppError('SHOP_EVENT_NOT_FOUND');
      return sales;
    },
  );
};
