/** Seats: layouts, the seat map of an event, and holds of seats. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { AppError } from '../../http/errors.ts';
import { EventParams } from '../../http/event-params.ts';
import type { SharedReads } from '../../http/shared-reads.ts';
import type { EventStore } from '../event-store.ts';
import { LayoutBody } from '../rules/layout.ts';
import { SeatMapAnswer } from '../rules/seat-map.ts';
import type { SeatMaps } from '../seat-maps.ts';
import {
  type HoldingOptions,
  holdErrors,
  IdempotencyHeaders,
  keyOf,
  requireBuyer,
  toHeld,
  toOverError,
} from './holding.ts';
import { ReservationAnswer } from './reservation-answer.ts';
import { toReservationAnswer } from './to-reservation-answer.ts';

export interface SeatRoutesOptions extends HoldingOptions {
  events: EventStore;
  maps: SeatMaps;
  reads: SharedReads;
}

/** More than any event allows per person; the event's own limit is checked by the hold. */
const MAX_REQUESTED = 20;

const SeatId = Type.String({
  pattern: '^[A-Za-z0-9_]{1,16}-[0-9]{1,4}-[0-9]{1,4}$',
  description: 'section-row-number, as on the map',
});
const ReserveBody = Type.Object(
  {
    eventId: EventParams.properties.eventId,
    seatIds: Type.Optional(Type.Array(SeatId, { minItems: 1, maxItems: MAX_REQUESTED, uniqueItems: true })),
    best: Type.Optional(
      Type.Object(
        {
          count: Type.Integer({ minimum: 1, maximum: MAX_REQUESTED, description: 'number of adjacent seats' }),
          section: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9_]{1,16}$', description: 'the id of a section' })),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
);

export const seatRoutes: FastifyPluginAsyncTypebox<SeatRoutesOptions> = async (app, options) => {
  const { events, maps, reads, holds, seatLock, metrics, now } = options;
  const schema = { tags: ['shop: seats'] };
  const Layout = Type.Object({ layoutId: Type.String(), ...LayoutBody.properties });

  app.get(
    '/seats/layouts',
    {
      schema: {
        ...schema,
        operationId: 'listLayouts',
        security: [],
        errors: ['RATE_LIMITED'],
        summary: 'Seat layouts',
        response: { 200: Type.Array(Layout) },
      },
    },
    async (request, reply) => {
      const layouts = await reads.read('layouts', request, () => events.listLayouts());
      reply.header('cache-control', 'public, max-age=10');
      return layouts;
    },
  );

  app.get(
    '/seats/events/:eventId',
    {
      schema: {
        ...schema,
        operationId: 'getSeatMap',
        security: [],
        errors: ['SHOP_EVENT_NOT_FOUND', 'EVENT_CANCELLED', 'SALES_ENDED', 'RATE_LIMITED'],
        summary: 'The seat map: per section and row one digit per seat',
        params: EventParams,
        response: {
          200: { content: { 'application/json': { schema: Type.Unsafe<unknown>(SeatMapAnswer) } } },
          304: Type.Null({ description: 'the client’s map is up to date' }),
        },
      },
      // The map is rendered once for all clients.
      serializerCompiler: () => (body) => body as string,
    },
    async (request, reply) => {
      const { eventId } = request.params;
      // Maps that are kept cost a few small queries a second, however many look at them.
      if (!maps.isKept(eventId)) reads.count(request);
      const map = await maps.find(eventId);
      if (map === undefined) throw new AppError('SHOP_EVENT_NOT_FOUND');
      if (map.over !== null) throw toOverError(map.over);
      const etag = `"${map.version}"`;
      // With CORS_ORIGINS it varies by origin already.
      const vary = [reply.getHeader('vary') ?? [], 'accept-encoding'].flat().join(', ');
      reply.headers({ 'cache-control': 'public, max-age=1', etag, vary });
      if (request.headers['if-none-match'] === etag) return reply.code(304).send(null);
      reply.header('content-type', 'application/json; charset=utf-8');
      if (!acceptsGzip(request)) return reply.send(map.body);
      return reply.header('content-encoding', 'gzip').send(map.zipped);
    },
  );

  app.post(
    '/seats/reserve',
    {
      schema: {
        ...schema,
        operationId: 'holdSeats',
        security: [{ admitted: [] }],
        errors: [...holdErrors, 'SEATS_TAKEN'],
        summary: 'Hold seats, all or none: the given ones, or the best adjacent ones',
        headers: IdempotencyHeaders,
        body: ReserveBody,
        response: { 200: ReservationAnswer, 201: ReservationAnswer },
      },
    },
    async (request, reply) => {
      const { eventId, seatIds, best } = request.body;
      if ((seatIds === undefined) === (best === undefined)) {
        const message = 'exactly one of seatIds and best is required';
        throw new AppError('INVALID_INPUT', { message, fields: [{ field: 'seatIds', message }] });
      }
      const buyer = await requireBuyer(eventId, request, options);
      const seats = seatIds === undefined ? { best: best!.count, section: best!.section } : { ids: seatIds };
      const hold = () => holds.holdSeats({ eventId, ...buyer, idempotencyKey: keyOf(request), seats });
      const outcome = seatIds === undefined ? await hold() : await seatLock.with(eventId, seatIds, hold);
      if (outcome === 'busy')
        throw new AppError('SEATS_TAKEN', { message: 'Other buyers are choosing these seats right now.' });
      metrics.countHold(outcome.outcome);
      const answer = toReservationAnswer(toHeld(outcome), now());
      return reply.code(outcome.outcome === 'held' ? 201 : 200).send(answer);
    },
  );
};

function acceptsGzip({ headers }: FastifyRequest): boolean {
  return String(headers['accept-encoding'] ?? '').includes('gzip');
}
