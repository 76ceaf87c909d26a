/** Lists the events with tier 1 switched on, for gates in other processes. Public and cacheable. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import type { ActiveEvents } from '../lookups/active-events.ts';
import { ACTIVE_EVENTS_PATH } from '../lookups/fetch-active-events.ts';

const Answer = Type.Object({
  activeEvents: Type.Union([Type.Array(Type.String()), Type.Literal('all')]),
});

export const activeEventsRoutes: FastifyPluginAsyncTypebox<{ activeEvents: ActiveEvents }> = async (app, options) => {
  app.get(
    ACTIVE_EVENTS_PATH,
    {
      schema: {
        tags: ['gate'],
        operationId: 'getActiveEvents',
        security: [],
        summary: 'Events with tier 1 switched on',
        response: { 200: Answer },
      },
    },
    async (_request, reply) => {
      const { activeEvents } = options;
      await activeEvents.refresh();
      reply.header('cache-control', 'public, max-age=1');
      const { events } = activeEvents;
      return { activeEvents: events === 'all' ? events : [...events] };
    },
  );
};
