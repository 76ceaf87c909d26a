/** The poll door: join, status, heartbeat and leave as plain requests, under `/api/queue` and `/api/v1/queue`. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { EventParams } from '../../http/event-params.ts';
import { toWantedPage } from '../../http/wanted-page.ts';
import { WantedQuery } from '../../http/wanted-query.ts';
import type { Visitor } from '../../identity/visitor.ts';
import type { Clock } from '../../platform/clock.ts';
import { fastRoute, type QueryPart } from '../../platform/fast-http/fast-path.ts';
import type { AnswerHead, Caller } from '../../platform/http-server/callers.ts';
import type { LineMetrics } from '../line-metrics.ts';
import type { Crowd, Standing } from '../model/standing.ts';
import type { FindTarget } from '../model/target.ts';
import {
  type Doorway,
  excludedErrors,
  type JoinHow,
  joinErrors,
  LeaveAnswer,
  noRoom,
  visitorErrors,
} from './doorway.ts';
import { PollAnswer, toPollAnswer } from './poll-answer.ts';

export interface PollRoutesOptions {
  doorway: Doorway;
  metrics: LineMetrics;
  findTarget: FindTarget;
  /** From memory. undefined: events have no names here. */
  findNames?: ((eventId: string) => { title: string; artist: string } | undefined) | undefined;
  tickMs: number;
  clock: Clock;
}

const BODY_LIMIT = 1024;
const AND_ENTER = { enter: true };

export const pollRoutes: FastifyPluginAsyncTypebox<PollRoutesOptions> = async (app, options) => {
  const { doorway, metrics, findTarget, findNames, tickMs, clock } = options;
  const schema = {
    ...{ tags: ['line: poll door'], params: EventParams, querystring: WantedQuery },
    response: { 200: PollAnswer },
  };

  fastRoute(
    app,
    {
      method: 'POST',
      url: '/queue/check/:eventId',
      bodyLimit: BODY_LIMIT,
      schema: {
        ...schema,
        operationId: 'joinQueue',
        security: [{ visitor: [] }, {}],
        errors: [...visitorErrors, ...joinErrors],
        summary: 'Join the line or return the existing place; enter if admitted',
      },
    },
    async (request, reply) => {
      const { eventId } = request.params;
      const joined = await doorway.join(eventId, request, reply, howOf(request));
      return answer(eventId, joined.visitor, joined, request, reply);
    },
  );

  fastRoute(
    app,
    {
      method: 'GET',
      url: '/queue/status/:eventId',
      config: { crossSite: 'refused' },
      schema: {
        ...schema,
        operationId: 'getQueueStatus',
        security: [{ visitor: [] }, {}],
        errors: [...visitorErrors, ...excludedErrors, 'EVENT_NOT_FOUND'],
        summary: 'Where the visitor stands; counts as a sign of life',
      },
    },
    (request, reply) => status(request.params.eventId, request, reply),
  );

  fastRoute(
    app,
    {
      method: 'POST',
      url: '/queue/heartbeat/:eventId',
      bodyLimit: BODY_LIMIT,
      schema: {
        ...schema,
        operationId: 'sendHeartbeat',
        security: [{ visitor: [] }, {}],
        errors: [...visitorErrors, ...excludedErrors, 'EVENT_NOT_FOUND'],
        summary: 'A sign of life; same response as status',
      },
    },
    (request, reply) => status(request.params.eventId, request, reply),
  );

  app.post(
    '/queue/leave/:eventId',
    {
      bodyLimit: BODY_LIMIT,
      schema: {
        tags: schema.tags,
        params: EventParams,
        response: { 200: LeaveAnswer },
        operationId: 'leaveQueue',
        security: [{ visitor: [] }, {}],
        errors: [...visitorErrors, 'EVENT_NOT_FOUND'],
        summary: 'Leave the line',
      },
    },
    async (request, reply) => (await doorway.leave(request.params.eventId, request, reply)).answer,
  );

  async function status(eventId: string, request: Caller & QueryPart, reply: AnswerHead): Promise<PollAnswer> {
    const visitor = doorway.requireVisitor(request, reply);
    doorway.refuseExcluded(eventId, visitor?.id, request, 'stay');
    metrics.countPoll();
    const outcome = await doorway.look(eventId, visitor, request);
    if (outcome.outcome === 'no-room') throw noRoom(eventId);
    return answer(eventId, visitor, outcome, request, reply);
  }

  function answer(
    eventId: string,
    visitor: Visitor | undefined,
    { standing, crowd }: { standing: Standing; crowd: Crowd },
    request: Caller & QueryPart,
    reply: AnswerHead,
  ): PollAnswer {
    const entryToken = visitor && doorway.issueEntryToken(eventId, visitor.id, standing, request, reply);
    const target = findTarget({ eventId, settings: crowd.settings, to: request.query?.to });
    const answer = toPollAnswer({ eventId, standing, crowd, tickMs, now: clock.now(), entryToken, target });
    const names = findNames?.(eventId);
    if (names !== undefined) {
      answer.eventInfo.title = names.title;
      if (names.artist !== '') answer.eventInfo.artist = names.artist;
    }
    const isRemoved = standing.state === 'absent' && visitor !== undefined && doorway.wasEjected(eventId, visitor.id);
    return isRemoved ? { ...answer, removed: true } : answer;
  }
};

function howOf({ query }: QueryPart): JoinHow {
  return query?.to === undefined ? AND_ENTER : { ...AND_ENTER, wanted: toWantedPage(query.to) };
}
