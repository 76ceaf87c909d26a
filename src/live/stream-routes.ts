/** The stream door: one request joins and then tells, for as long as it is open, where the visitor stands. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { AddressStreams } from '../http/address-streams.ts';
import { beginStream, onClose, refusePipelined } from '../http/begin-stream.ts';
import { AppError } from '../http/errors.ts';
import { EventParams } from '../http/event-params.ts';
import { Stream } from '../http/stream.ts';
import { type Doorway, LeaveAnswer } from '../line/http/doorway.ts';
import type { PresentStanding } from '../line/model/standing.ts';
import { addressKey } from '../platform/rate-limit.ts';
import { FINAL_ID, formatBye } from './frames.ts';
import type { Hub } from './hub.ts';
import type { Standings } from './standings.ts';

export interface StreamRoutesOptions {
  doorway: Doorway;
  hub: Hub;
  standings: Standings;
  streamsPerAddress: number;
  /** A client with more than this unread is dropped. */
  slowAboveBytes?: number;
}

const PATH = '/events/:eventId/tickets/waiting';
const Nothing = Type.Null({ description: 'the stream ended for good; do not come again' });
/** Several minutes of updates. */
const SLOW_ABOVE_BYTES = 64 * 1024;
/** A client that is refused for having too many streams may ask again after this. */
const REFUSED_SECONDS = 10;

export const streamRoutes: FastifyPluginAsyncTypebox<StreamRoutesOptions> = async (app, options) => {
  const { doorway, hub, standings, slowAboveBytes = SLOW_ABOVE_BYTES } = options;
  const addresses = new AddressStreams(options.streamsPerAddress);
  const schema = { tags: ['line: stream door'], params: EventParams };
  const eventStream = { content: { 'text/event-stream': { schema: Type.String() } } };

  // Streams never end by themselves: without this, closing the server would wait for every visitor to leave.
  app.addHook('preClose', () => hub.drain());

  app.get(
    PATH,
    {
      // Asking for the headers alone must not join.
      exposeHeadRoute: false,
      schema: {
        ...schema,
        summary: 'Join, and watch: events position, ready, admitted, room, gone, bye',
        response: { 200: eventStream, 204: Nothing },
      },
    },
    async (request, reply) => {
      if (request.headers['last-event-id'] === FINAL_ID) return reply.code(204).send(null);
      refuseWhenStopping(hub);
      refusePipelined(reply);
      takeAddress(request, reply, addresses);
      const { eventId } = request.params;
      const { visitor, standing, crowd } = await doorway.join(eventId, request, reply);
      // The process may have begun to stop meanwhile. The place stays; the stream opens elsewhere.
      refuseWhenStopping(hub);
      doorway.issueEntryToken(eventId, visitor.id, standing, request, reply);
      const stream = new Stream(beginStream(reply), slowAboveBytes);
      const lastEventId = lastEventIdOf(request);
      // Whoever has joined is there.
      const arrival = {
        eventId,
        visitor: visitor.id,
        stream,
        standing: standing as PresentStanding,
        crowd,
        lastEventId,
      };
      const watcher = standings.welcome(arrival);
      onClose(reply.raw, () => hub.lose(watcher, stream));
    },
  );

  app.delete(
    PATH,
    { schema: { ...schema, summary: 'Give up the place; ends its streams', response: { 200: LeaveAnswer } } },
    async (request, reply) => {
      const { eventId } = request.params;
      const { visitor, answer } = await doorway.leave(eventId, request, reply);
      const watcher = visitor && hub.find(eventId, visitor.id);
      if (watcher !== undefined) hub.end(watcher, formatBye('left'), 'left');
      return answer;
    },
  );
};

function refuseWhenStopping({ isDraining }: Hub): void {
  if (isDraining) throw new AppError('STOPPING', { retryAfterSeconds: 1 });
}

/** Counts the stream against its address until the response is over, whichever way it ends. */
function takeAddress(request: FastifyRequest, reply: FastifyReply, addresses: AddressStreams): void {
  const address = addressKey(request.ip);
  if (!addresses.tryTake(address)) {
    throw new AppError('RATE_LIMITED', {
      message: 'Too many streams are open from here. Close one, or ask by POST /api/queue/check instead.',
      retryAfterSeconds: REFUSED_SECONDS,
    });
  }
  onClose(reply.raw, () => addresses.giveBack(address));
}

function lastEventIdOf({ headers }: FastifyRequest): string | undefined {
  const id = headers['last-event-id'];
  return typeof id === 'string' ? id : undefined;
}
