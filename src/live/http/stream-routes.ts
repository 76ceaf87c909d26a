/** The stream door: one request joins the line and streams the visitor's standing while it is open. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { AddressStreams } from '../../http/address-streams.ts';
import { beginStream, onClose, refusePipelined } from '../../http/begin-stream.ts';
import { AppError } from '../../http/errors.ts';
import { EventParams } from '../../http/event-params.ts';
import { Stream } from '../../http/stream.ts';
import { toWantedPage } from '../../http/wanted-page.ts';
import { WantedQuery } from '../../http/wanted-query.ts';
import { type Doorway, joinErrors, LeaveAnswer, visitorErrors } from '../../line/http/doorway.ts';
import type { PresentStanding } from '../../line/model/standing.ts';
import { addressKey } from '../../platform/rate-limit.ts';
import { FINAL_ID, formatBye } from '../hub/frames.ts';
import type { Hub } from '../hub/hub.ts';
import type { Standings } from '../hub/standings.ts';

export interface StreamRoutesOptions {
  doorway: Doorway;
  hub: Hub;
  standings: Standings;
  streamsPerAddress: number;
  /** A client with more unread bytes than this is dropped. */
  slowAboveBytes?: number;
}

/** Clients that know one prefix only find the stream there too. */
const PATHS = ['/events/:eventId/tickets/waiting', '/api/v1/events/:eventId/tickets/waiting'];
const StreamQuery = Type.Object({
  ...WantedQuery.properties,
  format: Type.Optional(
    Type.Union([Type.Literal('named'), Type.Literal('message')], {
      description: 'named events, or unnamed messages with a status; by default what the room says (streamFormat)',
    }),
  ),
});
const Nothing = Type.Null({ description: 'the stream has ended for good; do not reconnect' });
const streamSchema = {
  tags: ['line: stream door'],
  params: EventParams,
  querystring: StreamQuery,
  operationId: 'streamQueue',
  security: [{ visitor: [] }, {}],
  errors: [...visitorErrors, ...joinErrors],
  summary: 'Join the line and stream updates: events position, ready, admitted, room, gone, bye',
  response: { 200: { content: { 'text/event-stream': { schema: Type.String() } } }, 204: Nothing },
};
const leaveSchema = {
  tags: ['line: stream door'],
  params: EventParams,
  operationId: 'leaveQueueStream',
  security: [{ visitor: [] }, {}],
  errors: [...visitorErrors, 'EVENT_NOT_FOUND' as const],
  summary: 'Leave the line; ends the streams',
  response: { 200: LeaveAnswer },
};
/** Several minutes of updates. */
const SLOW_ABOVE_BYTES = 64 * 1024;
/** Retry-After of a client with too many streams. */
const REFUSED_SECONDS = 10;

export const streamRoutes: FastifyPluginAsyncTypebox<StreamRoutesOptions> = async (app, options) => {
  const { doorway, hub, standings, slowAboveBytes = SLOW_ABOVE_BYTES } = options;
  const addresses = new AddressStreams(options.streamsPerAddress);

  // Streams stay open: without this, closing the server would wait for every visitor to leave.
  app.addHook('preClose', () => hub.drain());

  for (const path of PATHS) {
    app.get(
      path,
      {
        // A HEAD request must not join.
        exposeHeadRoute: false,
        config: { crossSite: 'refused' },
        schema: streamSchema,
      },
      async (request, reply) => {
        if (request.headers['last-event-id'] === FINAL_ID) return reply.code(204).send(null);
        refuseWhenStopping(hub);
        refusePipelined(reply);
        takeAddress(request, reply, addresses);
        const { eventId } = request.params;
        const wanted = toWantedPage(request.query.to);
        const { visitor, standing, crowd } = await doorway.join(eventId, request, reply, { wanted });
        // The process may have started to stop meanwhile. The place stays; the client reconnects elsewhere.
        refuseWhenStopping(hub);
        doorway.issueEntryToken(eventId, visitor.id, standing, request, reply);
        const lastEventId = lastEventIdOf(request);
        const stream = new Stream(beginStream(reply), slowAboveBytes);
        stream.wanted = wanted;
        stream.format = request.query.format ?? crowd.settings.streamFormat;
        // A visitor who has just joined is never absent.
        const arrival = {
          eventId,
          visitor: visitor.id,
          stream,
          standing: standing as PresentStanding,
          crowd,
          lastEventId,
        };
        const watcher = standings.open(arrival);
        onClose(reply.raw, () => hub.lose(watcher, stream));
      },
    );

    app.delete(path, { schema: leaveSchema }, async (request, reply) => {
      const { eventId } = request.params;
      const { visitor, answer } = await doorway.leave(eventId, request, reply);
      const watcher = visitor && hub.find(eventId, visitor.id);
      if (watcher !== undefined) hub.end(watcher, formatBye('left'), 'left');
      return answer;
    });
  }
};

function refuseWhenStopping({ isDraining }: Hub): void {
  if (isDraining) throw new AppError('STOPPING', { retryAfterSeconds: 1 });
}

/** Counts the stream against its IP address until the response ends. */
function takeAddress(request: FastifyRequest, reply: FastifyReply, addresses: AddressStreams): void {
  const address = addressKey(request.ip);
  if (!addresses.tryTake(address)) {
    throw new AppError('RATE_LIMITED', {
      message: 'Too many streams are open from this IP address. Close one, or poll POST /api/queue/check instead.',
      retryAfterSeconds: REFUSED_SECONDS,
    });
  }
  onClose(reply.raw, () => addresses.giveBack(address));
}

function lastEventIdOf({ headers }: FastifyRequest): string | undefined {
  const id = headers['last-event-id'];
  return typeof id === 'string' ? id : undefined;
}
