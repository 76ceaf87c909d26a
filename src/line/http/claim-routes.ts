/**
 * The claim door: join and get a signed place, read its status by that token, enter once it is ready, or leave. Works in
 * every room; in a claim room it is the only way in besides POST /api/queue/check.
 */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { AppError, type ErrorCode } from '../../http/errors.ts';
import { EventParams } from '../../http/event-params.ts';
import { toWantedPage } from '../../http/wanted-page.ts';
import { WantedQuery } from '../../http/wanted-query.ts';
import type { Clock } from '../../platform/clock.ts';
import type { LineMetrics } from '../line-metrics.ts';
import type { JoinRequest } from '../model/join-requests.ts';
import { placeIdOf, type Standing } from '../model/standing.ts';
import type { FindTarget } from '../model/target.ts';
import type { Visits } from '../store/visits.ts';
import type { SignedPlace, WaitingTokens } from '../tokens/waiting-tokens.ts';
import {
  ClaimStatus,
  EnterAnswer,
  JoinAnswer,
  retryAfterSeconds,
  toClaimStatus,
  toPositionHint,
  toStatus,
} from './claim-answer.ts';
import { type Doorway, excludedErrors, type Joined, joinErrors, noRoom, visitorErrors } from './doorway.ts';

export interface ClaimRoutesOptions {
  doorway: Doorway;
  visits: Pick<Visits, 'enter'>;
  waitingTokens: WaitingTokens;
  metrics: LineMetrics;
  findTarget: FindTarget;
  /** Whether visitors may join without an account. */
  guestsWelcome: boolean;
  /** Refuses requests without an Idempotency-Key, and says 404 for tokens without a place. */
  isStrict: boolean;
  tickMs: number;
  clock: Clock;
}

const JOIN_BODY_LIMIT = 1024;
/** A token has at most 2 KB. */
const ENTER_BODY_LIMIT = 4 * 1024;
/** Requests without an Idempotency-Key: those of one visitor for one event within this window count as one. */
const WINDOW_MS = 10_000;

const Token = Type.String({ minLength: 1, maxLength: 2048, description: 'the waiting_token from joining' });
/** In a header a token is not in the logs of proxies, in histories or in Referer headers. */
const TOKEN_HEADER = 'x-waiting-token';
const PlaceHeaders = Type.Object({ [TOKEN_HEADER]: Type.Optional(Token) });
const TokenQuery = {
  token: Type.Optional({ ...Token, description: 'for older clients, instead of the header x-waiting-token' }),
};
/** Says what was ignored in a request that was served. */
const WARNING_HEADER = 'x-queue-warning';
const JoinBody = Type.Object(
  {
    event_id: EventParams.properties.eventId,
    user_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 128,
        description: 'the signed-in user; any other id is ignored or, where guests are not allowed, refused',
      }),
    ),
  },
  { additionalProperties: false },
);
const JoinHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({ pattern: '^[\\x20-\\x7e]{1,255}$', description: '1 to 255 printable ASCII characters' }),
  ),
});
const EnterHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({ description: 'required with CLAIM_STRICT; entering twice is harmless' }),
  ),
});
const LeftAnswer = Type.Object(
  {
    status: Type.Literal('left'),
    left: Type.Boolean({ description: 'false if the place was already gone' }),
  },
  { title: 'LeftAnswer' },
);
const ErrorPart = {
  error: Type.Object({}, { additionalProperties: true }),
  message: Type.Optional(Type.String({ description: 'the message of `error` again' })),
};
const DuplicateAnswer = Type.Object(
  { ...ErrorPart, ...Type.Partial(JoinAnswer).properties },
  { title: 'DuplicateAnswer', description: 'DUPLICATE_REQUEST with the fields of the first response, or ROOM_CLOSED' },
);
const RefusedEntry = Type.Object(
  { ...ErrorPart, retry_after_sec: Type.Optional(Type.Integer({ description: 'with NOT_READY' })) },
  { title: 'RefusedEntry' },
);

/** Refusals of a caller who shows a waiting token. */
const placeErrors: readonly ErrorCode[] = [
  ...excludedErrors,
  'INVALID_TOKEN',
  'WAITING_TOKEN_INVALID',
  'TOKEN_NOT_FOUND',
  'OTHER_VISITOR',
  'EVENT_NOT_FOUND',
];

export const claimRoutes: FastifyPluginAsyncTypebox<ClaimRoutesOptions> = async (app, options) => {
  const { doorway, visits, waitingTokens, metrics, findTarget, guestsWelcome, isStrict, tickMs, clock } = options;
  const schema = { tags: ['line: claim door'] };

  app.post(
    '/queue/join',
    {
      bodyLimit: JOIN_BODY_LIMIT,
      schema: {
        ...schema,
        operationId: 'claimPlace',
        security: [{ visitor: [] }, {}],
        errors: [
          ...visitorErrors,
          ...joinErrors,
          'OTHER_VISITOR',
          'DUPLICATE_REQUEST',
          'IDEMPOTENCY_KEY_REUSED',
          'IDEMPOTENCY_REQUIRED',
        ],
        summary: 'Join the line or return the existing place; an Idempotency-Key identifies a repeated request',
        body: JoinBody,
        querystring: WantedQuery,
        headers: JoinHeaders,
        response: { 202: JoinAnswer, 409: DuplicateAnswer },
      },
    },
    async (request, reply) => {
      const { event_id: eventId, user_id: userId } = request.body;
      requireKey(request);
      if (userId !== undefined) checkUser(userId, request, reply);
      const { to } = request.query;
      const joined = await joinOnce(eventId, { key: request.headers['idempotency-key'], to }, request, reply);
      const answer = toJoinAnswer(eventId, joined, to);
      if (joined.outcome === 'duplicate') throw new AppError('DUPLICATE_REQUEST', { body: answer });
      return reply.code(202).send(answer);
    },
  );

  app.get(
    '/queue/status',
    {
      config: { crossSite: 'refused' },
      schema: {
        ...schema,
        operationId: 'getPlaceStatus',
        security: [{ visitor: [] }, {}],
        errors: [...placeErrors],
        summary: 'Where the visitor stands; counts as a sign of life and consumes nothing',
        headers: PlaceHeaders,
        querystring: Type.Object({ ...WantedQuery.properties, ...TokenQuery }),
        response: { 200: ClaimStatus },
      },
    },
    async (request, reply) => {
      const place = requirePlace(request.headers[TOKEN_HEADER] ?? request.query.token, request, reply);
      metrics.countPoll();
      const outcome = await doorway.stay(place.eventId, place.visitor, request);
      if (outcome.outcome === 'no-room') throw noRoom(place.eventId);
      const { crowd } = outcome;
      const standing = ofPlace(outcome.standing, place);
      if (isStrict && standing.state === 'absent') throw new AppError('TOKEN_NOT_FOUND');
      const target = findTarget({ eventId: place.eventId, settings: crowd.settings, to: request.query.to });
      return toClaimStatus({ standing, crowd, tickMs, now: clock.now(), target });
    },
  );

  app.post(
    '/queue/enter',
    {
      bodyLimit: ENTER_BODY_LIMIT,
      schema: {
        ...schema,
        operationId: 'enterWithPlace',
        security: [{ visitor: [] }, {}],
        errors: [...placeErrors, 'NOT_READY', 'PLACE_GONE', 'IDEMPOTENCY_REQUIRED'],
        summary: 'Enter: granted to a visitor who is ready, and again to one who is inside',
        body: Type.Object({ waiting_token: Token }, { additionalProperties: false }),
        querystring: WantedQuery,
        headers: EnterHeaders,
        response: { 200: EnterAnswer, 403: RefusedEntry },
      },
    },
    async (request, reply) => {
      requireKey(request);
      const { eventId, visitor, placeId } = requirePlace(request.body.waiting_token, request, reply);
      const outcome = await visits.enter(eventId, visitor, placeId);
      if (outcome.outcome === 'no-room') throw noRoom(eventId);
      const { standing, crowd } = outcome;
      metrics.countEnter(standing.state === 'absent' ? 'gone' : outcome.outcome);
      if (standing.state === 'absent') throw new AppError(isStrict ? 'TOKEN_NOT_FOUND' : 'PLACE_GONE');
      if (outcome.outcome === 'not-ready') {
        throw notReady(retryAfterSeconds({ standing, crowd, tickMs, now: clock.now() }));
      }
      const token = doorway.issueEntryToken(eventId, visitor, standing, request, reply);
      const ttl = doorway.secondsLeft(outcome.standing);
      const target = findTarget({ eventId, settings: crowd.settings, to: request.query.to });
      return { admission: 'granted' as const, reservation_token: token!, ttl_sec: ttl, target };
    },
  );

  app.delete(
    '/queue/leave',
    {
      schema: {
        ...schema,
        operationId: 'leaveWithPlace',
        security: [{ visitor: [] }, {}],
        errors: [...placeErrors],
        summary: 'Give up the place of a waiting token; leaving twice has the effect of leaving once',
        headers: PlaceHeaders,
        querystring: Type.Object(TokenQuery),
        response: { 200: LeftAnswer },
      },
    },
    async (request, reply) => {
      const place = requirePlace(request.headers[TOKEN_HEADER] ?? request.query.token, request, reply);
      return { status: 'left' as const, left: await doorway.leavePlace(place, request, reply) };
    },
  );

  function requireKey({ headers }: { headers: { 'idempotency-key'?: string | undefined } }): void {
    if (isStrict && !headers['idempotency-key']) throw new AppError('IDEMPOTENCY_REQUIRED');
  }

  /** A user_id says nothing about who is calling: guests of other systems make one up. */
  function checkUser(userId: string, request: FastifyRequest, reply: FastifyReply): void {
    if (userId === doorway.findVisitor(request, reply)?.id) return;
    if (!guestsWelcome) throw new AppError('OTHER_VISITOR');
    reply.header(WARNING_HEADER, 'user_id was ignored: it is not the signed-in user');
  }

  /** Joins by the client's key, or by a time window if it sent none. */
  async function joinOnce(
    eventId: string,
    { key, to }: { key: string | undefined; to: unknown },
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<Joined> {
    const wanted = toWantedPage(to);
    const how = { request: toJoinRequest(eventId, key, clock.now()), wanted };
    const joined = await doorway.join(eventId, request, reply, how);
    // A visitor who left and comes back within the window means to join again; only a key would say otherwise.
    const isFresh = key === undefined && joined.outcome === 'duplicate' && joined.standing.state === 'absent';
    return isFresh ? doorway.join(eventId, request, reply, { wanted }) : joined;
  }

  function toJoinAnswer(eventId: string, { visitor, standing, crowd }: Joined, to: unknown): JoinAnswer {
    const target = findTarget({ eventId, settings: crowd.settings, to });
    const answer = { position_hint: toPositionHint(standing), status: toStatus(standing, crowd.settings), target };
    if (standing.state === 'absent') return answer;
    const place = { placeId: placeIdOf(standing), joinedAt: standing.joinedAt };
    return { waiting_token: waitingTokens.issue(eventId, visitor.id, place), ...answer };
  }

  /** The place that a token names. The token is enough, but a caller who also identifies must be its owner. */
  function requirePlace(token: string | undefined, request: FastifyRequest, reply: FastifyReply): SignedPlace {
    if (token === undefined) throw tokenMissing();
    const place = waitingTokens.verify(token);
    if (place === undefined) throw new AppError(isStrict ? 'TOKEN_NOT_FOUND' : 'WAITING_TOKEN_INVALID');
    const caller = doorway.findVisitor(request, reply);
    if (caller !== undefined && caller.id !== place.visitor) throw new AppError('OTHER_VISITOR');
    doorway.refuseExcluded(place.eventId, place.visitor, request, 'stay');
    return place;
  }
};

/** The fingerprint is the event alone: the visitor is already part of every key. */
function toJoinRequest(eventId: string, key: string | undefined, now: number): JoinRequest {
  const window = Math.floor(now / WINDOW_MS);
  return { key: key === undefined ? `window:${eventId}:${window}` : `key:${key}`, fingerprint: eventId };
}

/** A token of an earlier place says nothing about the visitor's current one. */
function ofPlace(standing: Standing, { placeId }: SignedPlace): Standing {
  return standing.state !== 'absent' && placeIdOf(standing) === placeId ? standing : { state: 'absent' };
}

function tokenMissing(): AppError {
  const message = `${TOKEN_HEADER} is required`;
  return new AppError('INVALID_INPUT', { message, fields: [{ field: TOKEN_HEADER, message }] });
}

function notReady(seconds: number): AppError {
  return new AppError('NOT_READY', { retryAfterSeconds: seconds, body: { retry_after_sec: seconds } });
}
