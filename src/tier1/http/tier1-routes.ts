/** Public endpoints of tier 1: take a number, check whether it is its turn, and the status that everyone may see. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from 'typebox';
import { AppError } from '../../http/errors.ts';
import { EventParams } from '../../http/event-params.ts';
import type { Answer } from '../../identity/proof-of-work.ts';
import { fastRoute } from '../../platform/fast-http/fast-path.ts';
import { type Counters, countWaiting } from '../model/counters.ts';
import { setPlaceCookie, setTokenCookie, type Tier1RouteOptions, takePlace } from './take-place.ts';

const ASSIGN_BODY_LIMIT = 1024;

const AssignBody = Type.Object(
  {
    userId: Type.Optional(Type.String({ maxLength: 128, description: 'ignored: the cookie identifies the device' })),
    challenge: Type.Optional(
      Type.Object({ parameters: Type.Record(Type.String(), Type.Unknown()), signature: Type.String() }),
    ),
    solution: Type.Optional(
      Type.Object({ counter: Type.Integer(), derivedKey: Type.String(), time: Type.Optional(Type.Number()) }),
    ),
  },
  { additionalProperties: false },
);
type AssignBody = Static<typeof AssignBody>;

const PlaceParams = Type.Object({
  ...EventParams.properties,
  requestId: Type.String({ pattern: '^[A-Za-z0-9_.-]{1,128}$', description: 'from the response of assign' }),
});

const AssignAnswer = Type.Object({
  requestId: Type.String(),
  position: Type.Integer(),
  estimatedWait: Type.Integer({ description: 'seconds' }),
  servingCounter: Type.Integer(),
});

const CheckAnswer = Type.Object({
  admitted: Type.Boolean(),
  position: Type.Integer(),
  servingCounter: Type.Integer(),
  ahead: Type.Integer({ description: 'how far the serving counter is from the position; 0 once admitted' }),
  totalInQueue: Type.Integer({ description: 'the last number assigned' }),
  estimatedWait: Type.Integer({ description: 'seconds' }),
  nextPoll: Type.Integer({ description: 'seconds until the next poll' }),
  token: Type.Optional(Type.String()),
});

const StatusAnswer = Type.Object({
  eventId: Type.String(),
  isActive: Type.Boolean(),
  totalInQueue: Type.Integer({ description: 'the last number assigned' }),
  serving: Type.Integer({ description: 'the last number whose turn has come' }),
  waitingCount: Type.Integer(),
});

export const tier1Routes: FastifyPluginAsyncTypebox<Tier1RouteOptions> = async (app, options) => {
  const { room, devices, metrics } = options;
  const schema = { tags: ['tier 1'] };

  fastRoute(
    app,
    {
      method: 'POST',
      url: '/vwr/assign/:eventId',
      bodyLimit: ASSIGN_BODY_LIMIT,
      schema: {
        ...schema,
        operationId: 'takeNumber',
        security: [{ device: [] }, {}],
        errors: ['VWR_NOT_ACTIVE', 'VWR_SWITCHING', 'PROOF_OF_WORK_REQUIRED'],
        summary: 'Take a number, or return the one that the device has',
        params: EventParams,
        body: Type.Union([AssignBody, Type.Null()]),
        response: { 200: AssignAnswer },
      },
    },
    async (request, reply) => {
      const { requestId, place, counters } = await takePlace(
        request.params.eventId,
        toAnswer(request.body as AssignBody | null | undefined),
        request,
        reply,
        options,
      );
      setPlaceCookie(requestId, place.eventId, request, reply, options);
      const estimatedWait = room.estimate(place.position, counters);
      return { requestId, position: place.position, estimatedWait, servingCounter: counters.servingCounter };
    },
  );

  fastRoute(
    app,
    {
      method: 'GET',
      url: '/vwr/check/:eventId/:requestId',
      config: { crossSite: 'refused' },
      schema: {
        ...schema,
        operationId: 'checkNumber',
        security: [{ device: [] }, {}],
        errors: ['VWR_PLACE_NOT_FOUND'],
        summary: 'Check whether it is the turn of a signed place; returns the vwr token if it is',
        params: PlaceParams,
        response: { 200: CheckAnswer },
      },
    },
    async (request, reply) => {
      const counters = await room.find(request.params.eventId);
      const device = devices.find(request.headers.cookie);
      const place = counters && room.recognise(request.params.requestId, device, counters);
      if (counters === undefined || place === undefined) {
        metrics.countCheck('refused');
        throw new AppError('VWR_PLACE_NOT_FOUND');
      }
      const turn = room.turnOf(place, counters);
      if (turn.token !== undefined) setTokenCookie(turn.token, request, reply, options);
      return turn;
    },
  );

  fastRoute(
    app,
    {
      method: 'GET',
      url: '/vwr/status/:eventId',
      schema: {
        ...schema,
        operationId: 'getTier1Status',
        security: [],
        summary: 'Public status of tier 1; the same for everyone, cacheable for a second',
        params: EventParams,
        response: { 200: StatusAnswer },
      },
    },
    async (request, reply) => {
      const { eventId } = request.params;
      reply.header('cache-control', 'public, max-age=1');
      return toStatus(eventId, await room.find(eventId));
    },
  );
};

function toStatus(eventId: string, counters: Counters | undefined) {
  const isActive = counters !== undefined && counters.state !== 'inactive';
  return {
    eventId,
    isActive,
    totalInQueue: counters?.nextPosition ?? 0,
    serving: counters?.servingCounter ?? 0,
    waitingCount: counters === undefined || !isActive ? 0 : countWaiting(counters),
  };
}

/** Without a body there is no answer to a challenge. */
function toAnswer(body: AssignBody | null | undefined): Answer | undefined {
  const { challenge, solution } = body ?? {};
  return challenge === undefined || solution === undefined ? undefined : { challenge, solution };
}
