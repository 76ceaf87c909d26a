/** For servers that see the site and are no gates: a load balancer, a monitor, the site itself. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { AppError } from '../../http/errors.ts';
import { EventParams } from '../../http/event-params.ts';
import type { Services } from '../../identity/services.ts';
import { LATENCY_BUCKETS, latencyBucketOf } from '../model/site-health.ts';
import type { Rooms } from '../store/rooms.ts';
import { getRoom } from './room-routes.ts';

export interface HealthRoutesOptions {
  rooms: Rooms;
  services: Services;
}

const Count = Type.Integer({ minimum: 0, maximum: 1_000_000_000 });
const Report = Type.Object(
  {
    responses: { ...Count, description: 'responses of the site since your last report' },
    errors: { ...Count, description: 'those of them with a 5xx status, or without a response' },
    p95Ms: Type.Number({ minimum: 0, maximum: 3_600_000, description: '95th percentile of their latency' }),
  },
  { additionalProperties: false, title: 'HealthReport' },
);

export const healthRoutes: FastifyPluginAsyncTypebox<HealthRoutesOptions> = async (app, { rooms, services }) => {
  app.post(
    '/rooms/:eventId/health',
    {
      onRequest: async (request) => services.require(request),
      schema: {
        tags: ['operators: rooms'],
        security: [{ service: [] }],
        operationId: 'reportSiteHealth',
        errors: ['EVENT_NOT_FOUND'],
        summary: 'Report the health of the site, about once per second, for a room with followHealth',
        params: EventParams,
        body: Report,
        response: { 204: Type.Null({ description: 'Noted' }) },
      },
    },
    async (request, reply) => {
      const { eventId } = request.params;
      const { responses, errors, p95Ms } = request.body;
      if (errors > responses) {
        const message = `errors (${errors}) must not exceed responses (${responses})`;
        throw new AppError('INVALID_INPUT', { message, fields: [{ field: 'errors', message }] });
      }
      await getRoom(rooms, eventId);
      const latencies = new Array<number>(LATENCY_BUCKETS).fill(0);
      latencies[latencyBucketOf(p95Ms)] = responses;
      await rooms.putHealth(eventId, { responses, errors, latencies });
      return reply.code(204).send(null);
    },
  );
};
