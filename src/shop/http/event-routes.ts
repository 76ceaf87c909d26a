/** Public endpoints for events. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { AppError } from '../../http/errors.ts';
import { EventParams } from '../../http/event-params.ts';
import type { EventStore, ShopEvent } from '../event-store.ts';
import { EventAnswer } from './event-answer.ts';

export const eventRoutes: FastifyPluginAsyncTypebox<{ events: EventStore }> = async (app, { events }) => {
  const schema = { tags: ['shop: events'] };
  const shared = 'public, max-age=1';

  app.get(
    '/events',
    { schema: { ...schema, summary: 'Events, by start time', response: { 200: Type.Array(EventAnswer) } } },
    async (_request, reply) => {
      const found = await events.listEvents();
      reply.header('cache-control', shared);
      return found;
    },
  );

  app.get(
    '/events/:eventId',
    { schema: { ...schema, summary: 'One event', params: EventParams, response: { 200: EventAnswer } } },
    async (request, reply) => {
      const event = await getEvent(events, request.params.eventId);
      if (event.state === 'draft') throw new AppError('SHOP_EVENT_NOT_FOUND');
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
