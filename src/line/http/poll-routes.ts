/** The poll door: join, ask, stay, leave, by plain requests. `/api/queue/…` and `/api/v1/queue/…` are the same. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { EventParams } from '../../http/event-params.ts';
import type { Visitor } from '../../identity/visitor.ts';
import { fastRoute } from '../../platform/fast-http/fast-path.ts';
import type { AnswerHead, Caller } from '../../platform/http-server/callers.ts';
import type { Crowd, Standing } from '../model/standing.ts';
import { PollAnswer, toPollAnswer } from './poll-answer.ts';
import {
  type DoorOptions,
  enter,
  giveEntryToken,
  isReady,
  joinLine,
  LeaveAnswer,
  leaveLine,
  noRoom,
  requireVisitor,
} from './visitors.ts';

const JOIN_BODY_LIMIT = 1024;

export const pollRoutes: FastifyPluginAsyncTypebox<DoorOptions> = async (app, options) => {
  const { store, watch, metrics } = options;
  const schema = { tags: ['line: poll door'], params: EventParams, response: { 200: PollAnswer } };

  fastRoute(
    app,
    {
      method: 'POST',
      url: '/queue/check/:eventId',
      bodyLimit: JOIN_BODY_LIMIT,
      schema: { ...schema, summary: 'Join the line, or find the place one has, and enter if one may' },
    },
    async (request, reply) => {
      const { eventId } = request.params;
      const joined = await joinLine(eventId, request, reply, options);
      const placed = isReady(joined) ? await enter(eventId, joined, options) : joined;
      return answer(eventId, placed.visitor, placed, request, reply, options);
    },
  );

  fastRoute(
    app,
    {
      method: 'GET',
      url: '/queue/status/:eventId',
      schema: { ...schema, summary: 'Where one stands; counts as a sign of life' },
    },
    (request, reply) => tellStanding(request.params.eventId, request, reply),
  );

  fastRoute(
    app,
    {
      method: 'POST',
      url: '/queue/heartbeat/:eventId',
      bodyLimit: JOIN_BODY_LIMIT,
      schema: { ...schema, summary: 'A sign of life; the answer is that of status' },
    },
    (request, reply) => tellStanding(request.params.eventId, request, reply),
  );

  app.post(
    '/queue/leave/:eventId',
    {
      bodyLimit: JOIN_BODY_LIMIT,
      schema: { ...schema, response: { 200: LeaveAnswer }, summary: 'Give up the place' },
    },
    async (request, reply) => (await leaveLine(request.params.eventId, request, reply, options)).answer,
  );

  async function tellStanding(eventId: string, request: Caller, reply: AnswerHead): Promise<PollAnswer> {
    const visitor = requireVisitor(request, reply, options);
    metrics.countPoll();
    // A guest who has no cookie yet has no place either, and gets no identity by asking.
    const outcome = await (visitor === undefined ? store.find(eventId, '') : watch.look(eventId, visitor.id));
    if (outcome.outcome === 'no-room') throw noRoom(eventId);
    return answer(eventId, visitor, outcome, request, reply, options);
  }
};

function answer(
  eventId: string,
  visitor: Visitor | undefined,
  { standing, crowd }: { standing: Standing; crowd: Crowd },
  request: Caller,
  reply: AnswerHead,
  options: DoorOptions,
): PollAnswer {
  const entryToken = visitor && giveEntryToken(eventId, visitor.id, standing, request, reply, options);
  return toPollAnswer({ eventId, standing, crowd, tickMs: options.tickMs, now: options.now(), entryToken });
}
