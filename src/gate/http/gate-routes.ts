/** For gates in other processes: what the rooms want of them, and what they saw and did. */
import { createHash } from 'node:crypto';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { EventParams } from '../../http/event-params.ts';
import type { Operators } from '../../identity/operators.ts';
import type { Services } from '../../identity/services.ts';
import { RoomSettings } from '../../line/model/room-settings.ts';
import { LATENCY_BUCKETS } from '../../line/model/site-health.ts';
import type { Room, Rooms } from '../../line/store/rooms.ts';
import { StoreUnavailableError } from '../../platform/store-unavailable-error.ts';
import { toOutageAction } from '../fail-open/outage-entry.ts';
import { GATE_ROOMS_PATH } from '../lookups/fetch-gate-rooms.ts';
import type { GateRoom, GateRooms } from '../lookups/line-watch.ts';
import { GATE_REPORTS_PATH } from '../report-to-line.ts';

export interface GateRoutesOptions {
  rooms: Pick<Rooms, 'putHealth'>;
  findGateRooms: () => Promise<GateRooms>;
  /** Why the line's store cannot serve right now; undefined when it can. */
  findFault: () => string | undefined;
  services: Services;
  operators: Pick<Operators, 'audit'>;
}

const { eventId } = EventParams.properties;
const Count = Type.Integer({ minimum: 0, maximum: 1_000_000_000 });
const Instant = Type.Integer({ minimum: 0, maximum: 8_640_000_000_000_000, description: 'ms since 1970' });

const RoomsQuery = Type.Object(
  {
    revision: Type.Optional(
      Type.String({ maxLength: 64, description: 'of the last response: 204 if nothing changed' }),
    ),
  },
  { additionalProperties: false },
);
const RoomsAnswer = Type.Object({
  revision: Type.String(),
  rooms: Type.Array(
    Type.Object({
      eventId,
      failOpen: Type.Optional(RoomSettings.properties.failOpen),
      followsHealth: Type.Boolean(),
      slowMs: Type.Optional(Type.Integer()),
    }),
  ),
});

const Reports = Type.Object(
  {
    gate: Type.String({ minLength: 1, maxLength: 100, description: 'names the gate process to operators' }),
    health: Type.Array(
      Type.Object(
        {
          eventId,
          responses: Count,
          errors: Count,
          latencies: Type.Array(Count, { maxItems: LATENCY_BUCKETS }),
        },
        { additionalProperties: false },
      ),
      { maxItems: 1_000 },
    ),
    outages: Type.Array(
      Type.Object(
        {
          eventId,
          passed: Count,
          perSecond: Type.Number({ minimum: 0, maximum: 10_000 }),
          downSince: Instant,
          openedAt: Instant,
          closedAt: Instant,
        },
        { additionalProperties: false },
      ),
      { maxItems: 100 },
    ),
  },
  { additionalProperties: false },
);

/** Larger than other bodies: a report of every room. */
const BODY_LIMIT = 256 * 1024;

export const gateRoutes: FastifyPluginAsyncTypebox<GateRoutesOptions> = async (app, options) => {
  const { rooms, findGateRooms, findFault, services, operators } = options;
  const schema = { tags: ['gate'], security: [{ service: [] }] };
  app.addHook('onRequest', async (request) => services.require(request));

  app.get(
    GATE_ROOMS_PATH,
    {
      schema: {
        ...schema,
        operationId: 'getGateRooms',
        summary: 'For gates: the rooms with failOpen or followHealth',
        querystring: RoomsQuery,
        response: { 200: RoomsAnswer, 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const fault = findFault();
      // A line without its store cannot be asked, and gates must notice.
      if (fault !== undefined) throw new StoreUnavailableError(fault);
      const { revision, rooms } = await findGateRooms();
      reply.header('cache-control', 'no-store');
      return request.query.revision === revision
        ? reply.code(204).send(null)
        : reply.send({ revision, rooms: [...rooms] });
    },
  );

  app.post(
    GATE_REPORTS_PATH,
    {
      bodyLimit: BODY_LIMIT,
      schema: {
        ...schema,
        operationId: 'sendGateReport',
        summary: 'For gates: what they saw of the site, and whom they let pass while the line could not be asked',
        body: Reports,
        response: { 204: Type.Null({ description: 'Noted' }) },
      },
    },
    async (request, reply) => {
      const { gate, health, outages } = request.body;
      await Promise.all(health.map(({ eventId, ...report }) => rooms.putHealth(eventId, report)));
      for (const outage of outages) await operators.audit(request, toOutageAction(gate, outage));
      return reply.code(204).send(null);
    },
  );
};

export function toGateRooms(rooms: readonly Room[]): GateRooms {
  const wanted = rooms.flatMap(({ eventId, crowd }): GateRoom[] => {
    const { failOpen, followHealth } = crowd.settings;
    if (failOpen === undefined && followHealth === undefined) return [];
    const health =
      followHealth === undefined ? { followsHealth: false } : { followsHealth: true, slowMs: followHealth.maxP95Ms };
    return [{ eventId, ...(failOpen && { failOpen }), ...health }];
  });
  const revision = createHash('sha256').update(JSON.stringify(wanted)).digest('base64url').slice(0, 16);
  return { revision, rooms: wanted };
}
