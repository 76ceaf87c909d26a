/** Operator endpoints under /queue/admin: the state of a queue, its threshold, and clearing it. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { EventParams } from '../../http/event-params.ts';
import { RoomSettings } from '../model/room-settings.ts';
import type { LotSources } from '../store/lot-sources.ts';
import { type RoomAnswer, toRoomAnswer } from './room-answer.ts';
import { getRoom, type OperatorRoutesOptions } from './room-routes.ts';

const QueueSummary = Type.Object(
  {
    eventId: Type.String(),
    state: Type.String(),
    queueSize: Type.Integer(),
    currentUsers: Type.Integer(),
    threshold: Type.Integer(),
    admitted: Type.Integer({ description: 'admitted and not yet seen' }),
    active: Type.Integer({ description: 'admitted and present' }),
    admittedPerSecond: Type.Union([Type.Number(), Type.Null()]),
  },
  { title: 'QueueSummary' },
);

export interface QueueAdminRoutesOptions extends OperatorRoutesOptions {
  lotSources: Pick<LotSources, 'forget'>;
}

export const queueAdminRoutes: FastifyPluginAsyncTypebox<QueueAdminRoutesOptions> = async (app, options) => {
  const { rooms, operators, lotSources } = options;
  const schema = { tags: ['operators: queue'], security: [{ operator: [] }], params: EventParams };
  app.addHook('onRequest', async (request) => operators.require(request));

  app.get(
    '/queue/admin/:eventId',
    {
      schema: {
        ...schema,
        operationId: 'getQueue',
        errors: ['EVENT_NOT_FOUND'],
        summary: 'The state of a queue',
        response: { 200: QueueSummary },
      },
    },
    async (request) => toSummary(toRoomAnswer(await getRoom(rooms, request.params.eventId))),
  );

  app.put(
    '/queue/admin/threshold/:eventId',
    {
      schema: {
        ...schema,
        operationId: 'putQueueThreshold',
        errors: ['EVENT_NOT_FOUND'],
        summary: 'Set how many may be inside; same as maxActive of the room',
        body: Type.Object({ threshold: RoomSettings.properties.maxActive }, { additionalProperties: false }),
        response: { 200: QueueSummary },
      },
    },
    async (request) => {
      const { eventId } = request.params;
      const { threshold } = request.body;
      const before = (await getRoom(rooms, eventId)).crowd.settings.maxActive;
      const outcome = await rooms.putRoom(eventId, { maxActive: threshold });
      if (outcome.outcome === 'invalid') throw new Error('a threshold that passed the schema must be valid');
      const details = { threshold, before };
      await operators.audit(request, { action: 'set threshold', eventId, details });
      return toSummary(toRoomAnswer(outcome.room));
    },
  );

  app.post(
    '/queue/admin/clear/:eventId',
    {
      schema: {
        ...schema,
        operationId: 'clearQueue',
        errors: ['EVENT_NOT_FOUND'],
        summary: 'Remove all visitors, waiting and inside; numbering continues',
        response: { 200: Type.Object({ eventId: Type.String(), waiting: Type.Integer(), inside: Type.Integer() }) },
      },
    },
    async (request) => {
      const { eventId } = request.params;
      await getRoom(rooms, eventId);
      const outcome = await rooms.clear(eventId);
      await lotSources.forget(eventId);
      const cleared = outcome.outcome === 'cleared' ? outcome : { waiting: 0, inside: 0 };
      const details = { waiting: cleared.waiting, inside: cleared.inside };
      await operators.audit(request, { action: 'clear queue', eventId, details });
      return { eventId, ...details };
    },
  );
};

function toSummary(room: RoomAnswer) {
  const { eventId, phase, settings, waiting, admitted, active, admittedPerSecond } = room;
  return {
    eventId,
    state: phase,
    queueSize: waiting,
    currentUsers: admitted + active,
    threshold: settings.maxActive,
    admitted,
    active,
    admittedPerSecond,
  };
}
