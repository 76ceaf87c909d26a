/** Where the lots of a draw come from, for operators. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { AppError } from '../../http/errors.ts';
import { EventParams } from '../../http/event-params.ts';
import type { Operators } from '../../identity/operators.ts';
import type { LotSourceCounter } from '../lot-source-counter.ts';
import type { LotSources } from '../store/lot-sources.ts';
import type { Rooms } from '../store/rooms.ts';
import { LotSourcesAnswer } from './lot-source-answer.ts';
import { getRoom } from './room-routes.ts';

export interface LotSourceRoutesOptions {
  rooms: Rooms;
  sources: LotSources;
  counter: Pick<LotSourceCounter, 'flush'>;
  operators: Operators;
}

export const lotSourceRoutes: FastifyPluginAsyncTypebox<LotSourceRoutesOptions> = async (app, options) => {
  const { rooms, sources, counter, operators } = options;
  app.addHook('onRequest', async (request) => operators.require(request));

  app.get(
    '/admin/rooms/:eventId/draw/sources',
    {
      schema: {
        tags: ['operators: rooms'],
        security: [{ operator: [] }],
        params: EventParams,
        operationId: 'getDrawSources',
        errors: ['EVENT_NOT_FOUND', 'NO_DRAW'],
        summary: 'Before a draw: how many lots of guests come from how many addresses',
        response: { 200: LotSourcesAnswer },
      },
    },
    async (request) => {
      const { eventId } = request.params;
      const room = await getRoom(rooms, eventId);
      if (room.crowd.draw === undefined) throw new AppError('NO_DRAW');
      await counter.flush();
      const { largest, ...counts } = await sources.find(eventId);
      return { eventId, ...counts, largest: largest.map(toAnswer) };
    },
  );
};

function toAnswer({ from, to, ...source }: { address: string; lots: number; from: number; to: number }) {
  return { ...source, from: new Date(from).toISOString(), to: new Date(to).toISOString() };
}
