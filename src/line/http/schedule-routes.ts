/** Operator endpoints for scheduled changes of a room. */
import { randomBytes } from 'node:crypto';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { AppError } from '../../http/errors.ts';
import { EventParams } from '../../http/event-params.ts';
import type { Clock } from '../../platform/clock.ts';
import { RoomChange } from '../model/room-settings.ts';
import { MOST_SCHEDULED } from '../model/scheduled-change.ts';
import type { Schedules } from '../store/schedules.ts';
import { getRoom, type OperatorRoutesOptions, refuseUnknownStock } from './room-routes.ts';
import { ScheduledAnswer, toScheduledAnswer } from './scheduled-answer.ts';

export interface ScheduleRoutesOptions extends OperatorRoutesOptions {
  schedules: Schedules;
  hasShop: boolean;
  clock: Clock;
}

const YEAR_MS = 366 * 86_400_000;

const NewChange = Type.Object(
  { at: Type.String({ format: 'date-time', description: 'within a year' }), change: RoomChange },
  { additionalProperties: false, title: 'NewScheduledChange' },
);
const ChangeParams = Type.Object({
  ...EventParams.properties,
  id: Type.String({ pattern: '^[A-Za-z0-9_-]{1,32}$' }),
});

export const scheduleRoutes: FastifyPluginAsyncTypebox<ScheduleRoutesOptions> = async (app, options) => {
  const { rooms, schedules, operators, hasShop, clock } = options;
  const schema = { tags: ['operators: rooms'], security: [{ operator: [] }] };
  app.addHook('onRequest', async (request) => operators.require(request));

  app.get(
    '/admin/rooms/:eventId/scheduled',
    {
      schema: {
        ...schema,
        errors: ['EVENT_NOT_FOUND'],
        operationId: 'listScheduledChanges',
        summary: 'List the scheduled changes of a room, by time',
        params: EventParams,
        response: { 200: Type.Array(ScheduledAnswer) },
      },
    },
    async (request) => {
      const { eventId } = request.params;
      await getRoom(rooms, eventId);
      return (await schedules.listScheduled(eventId)).map(toScheduledAnswer);
    },
  );

  app.post(
    '/admin/rooms/:eventId/scheduled',
    {
      schema: {
        ...schema,
        errors: ['EVENT_NOT_FOUND'],
        operationId: 'scheduleChange',
        summary: 'Schedule a change of a room; applied within 2 seconds of its time',
        params: EventParams,
        body: NewChange,
        response: { 201: ScheduledAnswer },
      },
    },
    async (request, reply) => {
      const { eventId } = request.params;
      const at = Date.parse(request.body.at);
      const change = request.body.change as RoomChange;
      refuseTime(at, clock.now());
      refuseUnknownStock(change, hasShop);
      await getRoom(rooms, eventId);
      const scheduled = { id: randomBytes(9).toString('base64url'), at, change, by: operators.callerOf(request).name };
      const { outcome, ...more } = await schedules.schedule(eventId, scheduled);
      if ('problems' in more) throw new AppError('INVALID_INPUT', { fields: more.problems });
      if (outcome === 'full') throw invalid('at', `at most ${MOST_SCHEDULED} changes can be scheduled for a room`);
      const answer = toScheduledAnswer(scheduled);
      await operators.audit(request, { action: 'schedule change', eventId, details: { ...answer } });
      return reply.code(201).send(answer);
    },
  );

  app.delete(
    '/admin/rooms/:eventId/scheduled/:id',
    {
      schema: {
        ...schema,
        operationId: 'cancelScheduledChange',
        errors: ['EVENT_NOT_FOUND', 'CHANGE_NOT_FOUND'],
        summary: 'Cancel a scheduled change that has not been applied',
        params: ChangeParams,
        response: { 200: ScheduledAnswer },
      },
    },
    async (request) => {
      const { eventId, id } = request.params;
      await getRoom(rooms, eventId);
      const cancelled = await schedules.cancelScheduled(eventId, id);
      if (cancelled === undefined) throw new AppError('CHANGE_NOT_FOUND');
      const answer = toScheduledAnswer(cancelled);
      await operators.audit(request, { action: 'cancel scheduled change', eventId, details: { ...answer } });
      return answer;
    },
  );
};

function refuseTime(at: number, now: number): void {
  if (at <= now) throw invalid('at', 'at must be in the future');
  if (at > now + YEAR_MS) throw invalid('at', 'at must be within a year');
}

function invalid(field: string, message: string): AppError {
  return new AppError('INVALID_INPUT', { message, fields: [{ field, message }] });
}
