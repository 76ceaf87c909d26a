/** Public endpoints for events. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { AppError } from '../../http/errors.ts';
import { EventParams } from '../../http/event-params.ts';
import type { SharedReads } from '../../http/shared-reads.ts';
import type { EventStore, ShopEvent } from '../event-store.ts';
import { EventAnswer } from './event-answer.ts';
import type { EventAnswers } from './to-event-answer.ts';

export interface EventRoutesOptions {
  events: EventStore;
  answers: EventAnswers;
  reads: SharedReads;
}

export const eventRoutes: FastifyPluginAsyncTypebox<EventRoutesOptions> = async (app, { events, answers, reads }) => {
  const schema = { tags: ['shop: events'] };
  const shared = 'public, max-age=1';

  app.get(
    '/events',
    {
      schema: {
        ...schema,
        operationId: 'listEvents',
        security: [],
        errors: ['RATE_LIMITED'],
        summary: 'Events, by start time',
        response: { 200: Type.Array(EventAnswer) },
      },
    },
    async (request, reply) => {
      const found = await reads.read('events', request, async () => answers.all(await events.listEvents()));
      reply.header('cache-control', shared);
      return found;
    },
  );

  app.get(
    '/events/:eventId',
    {
      schema: {
        ...schema,
        operationId: 'getEvent',
        security: [],
        errors: ['SHOP_EVENT_NOT_FOUND', 'RATE_LIMITED'],
        summary: 'One event',
        params: EventParams,
        response: { 200: EventAnswer },
      },
    },
    async (request, reply) => {
      const { eventId } = request.params;
      const event = await reads.read(`event answer ${eventId}`, request, async () => {
        const found = await events.findEvent(eventId);
        return found === undefined || found.state === 'draft' ? undefined : answers.one(found);
      });
      if (event === undefined) throw new AppError('SHOP_EVENT_NOT_FOUND');
      reply.header('cache-control', shared);
      return event;
    },
  );
};

export async function getEvent(events: EventStore, eventId: string): Promise<ShopEvent> {
  const event = await events.findEvent(eventId);
  if (event === undefined) throw new AppError('SHOP_EVENT_NOT_FOUND');
  return event;
}
