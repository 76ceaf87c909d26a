/**
 * The claim door: join with a key of one's own, ask with the signed place that comes back, and enter by asking. Works in
 * every room; in a claim room it is the only way in besides POST /api/queue/check.
 */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { AppError } from '../../http/errors.ts';
import { EventParams } from '../../http/event-params.ts';
import type { Visitor } from '../../identity/visitor.ts';
import type { JoinRequest } from '../model/join-requests.ts';
import { placeIdOf, type Standing } from '../model/standing.ts';
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
import {
  type DoorOptions,
  findVisitor,
  giveEntryToken,
  type Joined,
  joinLine,
  noRoom,
  secondsLeft,
} from './visitors.ts';

export interface ClaimDoorOptions extends DoorOptions {
  waitingTokens: WaitingTokens;
}

const JOIN_BODY_LIMIT = 1024;
/** A token is 2 KB at most. */
const ENTER_BODY_LIMIT = 4 * 1024;
/** Without a key of the client's, requests of one visitor for one event within such a window count as one. */
const WINDOW_MS = 10_000;

const Token = Type.String({ minLength: 1, maxLength: 2048, description: 'the waiting_token from joining' });
const JoinBody = Type.Object(
  {
    event_id: EventParams.properties.eventId,
    user_id: Type.Optional(
      Type.String({ minLength: 1, maxLength: 128, description: 'who one is signed in as; nobody else' }),
    ),
  },
  { additionalProperties: false },
);
const JoinHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({ pattern: '^[\\x20-\\x7e]{1,255}$', description: '1 to 255 printable ASCII characters' }),
  ),
});
const ErrorPart = { error: Type.Object({}, { additionalProperties: true }) };
const DuplicateAnswer = Type.Object(
  { ...ErrorPart, ...Type.Partial(JoinAnswer).properties },
  { title: 'DuplicateAnswer', description: 'DUPLICATE_REQUEST with what the first answer had, or ROOM_CLOSED' },
);
const RefusedEntry = Type.Object(
  { ...ErrorPart, retry_after_sec: Type.Optional(Type.Integer({ description: 'with NOT_READY' })) },
  { title: 'RefusedEntry' },
);

export const claimRoutes: FastifyPluginAsyncTypebox<ClaimDoorOptions> = async (app, options) => {
  const { store, watch, metrics, tickMs, now } = options;
  const schema = { tags: ['line: claim door'] };

  app.post(
    '/queue/join',
    {
      bodyLimit: JOIN_BODY_LIMIT,
      schema: {
        ...schema,
        summary: 'Join the line, or find the place one has; a request sent again is known by its Idempotency-Key',
        body: JoinBody,
        headers: JoinHeaders,
        response: { 202: JoinAnswer, 409: DuplicateAnswer },
      },
    },
    async (request, reply) => {
      const { event_id: eventId, user_id: userId } = request.body;
      const caller = findVisitor(request, reply, options);
      if (userId !== undefined && userId !== caller?.id) throw new AppError('OTHER_VISITOR');
      const joined = await joinOnce(eventId, request.headers['idempotency-key'], request, reply, options);
      const answer = toJoinAnswer(eventId, joined, options);
      if (joined.outcome === 'duplicate') throw new AppError('DUPLICATE_REQUEST', { body: answer });
      return reply.code(202).send(answer);
    },
  );

  app.get(
    '/queue/status',
    {
      schema: {
        ...schema,
        summary: 'Where one stands; counts as a sign of life and uses nothing up',
        querystring: Type.Object({ token: Token }),
        response: { 200: ClaimStatus },
      },
    },
    async (request, reply) => {
      const place = requirePlace(request.query.token, request, reply, options);
      metrics.countPoll();
      const outcome = await watch.stay(place.eventId, place.visitor);
      if (outcome.outcome === 'no-room') throw noRoom(place.eventId);
      const standing = ofPlace(outcome.standing, place);
      return toClaimStatus({ standing, crowd: outcome.crowd, tickMs, now: now() });
    },
  );

  app.post(
    '/queue/enter',
    {
      bodyLimit: ENTER_BODY_LIMIT,
      schema: {
        ...schema,
        summary: 'Enter: granted to whoever is ready, and again to whoever is inside',
        body: Type.Object({ waiting_token: Token }, { additionalProperties: false }),
        response: { 200: EnterAnswer, 403: RefusedEntry },
      },
    },
    async (request, reply) => {
      const { eventId, visitor, placeId } = requirePlace(request.body.waiting_token, request, reply, options);
      const outcome = await store.enter(eventId, visitor, placeId);
      watch.forget(eventId, visitor);
      if (outcome.outcome === 'no-room') throw noRoom(eventId);
      const { standing, crowd } = outcome;
      metrics.countEnter(standing.state === 'absent' ? 'gone' : outcome.outcome);
      if (standing.state === 'absent') throw new AppError('PLACE_GONE');
      if (outcome.outcome === 'not-ready') throw notReady(retryAfterSeconds({ standing, crowd, tickMs, now: now() }));
      const token = giveEntryToken(eventId, visitor, standing, request, reply, options);
      const ttl = secondsLeft(outcome.standing, options);
      return { admission: 'granted' as const, reservation_token: token!, ttl_sec: ttl };
    },
  );
};

/** Joins by the client's key, or by one made of the time where it sent none. */
async function joinOnce(
  eventId: string,
  key: string | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
  options: ClaimDoorOptions,
): Promise<Joined> {
  const joinRequest = toJoinRequest(eventId, key, options.now());
  const joined = await joinLine(eventId, request, reply, options, joinRequest);
  // Whoever left within the window and comes again means to join; only a key of their own would say otherwise.
  const isFresh = key === undefined && joined.outcome === 'duplicate' && joined.standing.state === 'absent';
  return isFresh ? joinLine(eventId, request, reply, options) : joined;
}

/** The event is all that a request to join is about: who joins is part of every key. */
function toJoinRequest(eventId: string, key: string | undefined, now: number): JoinRequest {
  const window = Math.floor(now / WINDOW_MS);
  return { key: key === undefined ? `window:${eventId}:${window}` : `key:${key}`, fingerprint: eventId };
}

function toJoinAnswer(eventId: string, { visitor, standing }: Joined, { waitingTokens }: ClaimDoorOptions): JoinAnswer {
  const answer = { position_hint: toPositionHint(standing), status: toStatus(standing) };
  if (standing.state === 'absent') return answer;
  const place = { placeId: placeIdOf(standing), joinedAt: standing.joinedAt };
  return { waiting_token: waitingTokens.issue(eventId, visitor.id, place), ...answer };
}

/** The place that a token speaks of. The token is enough; but whoever also says who they are must be its owner. */
function requirePlace(
  token: string,
  request: FastifyRequest,
  reply: FastifyReply,
  options: ClaimDoorOptions,
): SignedPlace {
  const place = options.waitingTokens.verify(token);
  if (place === undefined) throw new AppError('WAITING_TOKEN_INVALID');
  const caller: Visitor | undefined = findVisitor(request, reply, options);
  if (caller !== undefined && caller.id !== place.visitor) throw new AppError('OTHER_VISITOR');
  return place;
}

/** A token of an earlier place says nothing about the one that its visitor has now. */
function ofPlace(standing: Standing, { placeId }: SignedPlace): Standing {
  return standing.state !== 'absent' && placeIdOf(standing) === placeId ? standing : { state: 'absent' };
}

function notReady(seconds: number): AppError {
  return new AppError('NOT_READY', { retryAfterSeconds: seconds, body: { retry_after_sec: seconds } });
}
