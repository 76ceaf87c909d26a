/** Operator endpoints for rooms: all settings, including pausing and messages. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { AppError } from '../../http/errors.ts';
import { EventParams } from '../../http/event-params.ts';
import type { Operators } from '../../identity/operators.ts';
import { RoomChange } from '../model/room-settings.ts';
import type { Room, Rooms } from '../store/rooms.ts';
import { RoomAnswer, toRoomAnswer } from './room-answer.ts';

export interface OperatorRoutesOptions {
  rooms: Rooms;
  operators: Operators;
}

export interface RoomRoutesOptions extends OperatorRoutesOptions {
  /** Whether this instance has a stock to follow. */
  hasShop: boolean;
}

export const roomRoutes: FastifyPluginAsyncTypebox<RoomRoutesOptions> = async (app, { rooms, operators, hasShop }) => {
  const schema = { tags: ['operators: rooms'], security: [{ operator: [] }] };
  app.addHook('onRequest', async (request) => operators.require(request));

  app.get(
    '/admin/rooms',
    {
      schema: { ...schema, operationId: 'listRooms', summary: 'All rooms', response: { 200: Type.Array(RoomAnswer) } },
    },
    async () => (await rooms.listRooms()).map(toRoomAnswer),
  );

  app.get(
    '/admin/rooms/:eventId',
    {
      schema: {
        ...schema,
        operationId: 'getRoom',
        errors: ['EVENT_NOT_FOUND'],
        summary: 'One room',
        params: EventParams,
        response: { 200: RoomAnswer },
      },
    },
    async (request) => toRoomAnswer(await getRoom(rooms, request.params.eventId)),
  );

  app.put(
    '/admin/rooms/:eventId',
    {
      schema: {
        ...schema,
        operationId: 'putRoom',
        summary: 'Create a room or change some of its settings; null resets a setting to its default',
        params: EventParams,
        body: RoomChange,
        response: { 200: RoomAnswer, 201: RoomAnswer },
      },
    },
    async (request, reply) => {
      const { eventId } = request.params;
      refuseUnknownStock(request.body as RoomChange, hasShop);
      const outcome = await rooms.putRoom(eventId, request.body as RoomChange);
      if (outcome.outcome === 'invalid') throw new AppError('INVALID_INPUT', { fields: outcome.problems });
      await operators.audit(request, {
        action: outcome.outcome === 'created' ? 'create room' : 'change room',
        eventId,
        details: { change: request.body, before: outcome.before },
      });
      return reply.code(outcome.outcome === 'created' ? 201 : 200).send(toRoomAnswer(outcome.room));
    },
  );
};

/** Without the shop no stock is ever reported, and the room would admit nobody. */
export function refuseUnknownStock({ followStock }: RoomChange, hasShop: boolean): void {
  if (!followStock || hasShop) return;
  const message = 'followStock needs the shop, which this instance does not have; see SHOP and DATABASE_URL';
  throw new AppError('INVALID_INPUT', { message, fields: [{ field: 'followStock', message, rule: 'needsShop' }] });
}

export async function getRoom(rooms: Rooms, eventId: string): Promise<Room> {
  const room = await rooms.findRoom(eventId);
  if (room === undefined) {
    throw new AppError('EVENT_NOT_FOUND', {
      message: `There is no room for the event ${eventId}. Create it with PUT /api/admin/rooms/${eventId}.`,
    });
  }
  return room;
}
