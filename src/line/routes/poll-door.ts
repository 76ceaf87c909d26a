/** The poll door: join, ask, stay, leave, by plain requests. `/api/queue/…` and `/api/v1/queue/…` are the same. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { GUEST_COOKIE, GUEST_DAYS, type Identity, type Visitor } from '../../accounts/identity.ts';
import { AppError } from '../../errors.ts';
import { type CookieOptions, writeCookie } from '../../platform/cookies.ts';
import { addressKey, type RateLimit } from '../../platform/rate-limit.ts';
import { ENTRY_COOKIE, type EntryTokens } from '../entry-tokens.ts';
import type { LineMetrics } from '../line-metrics.ts';
import type { Crowd, LineStore, Standing } from '../line-store.ts';
import { PollAnswer, toPollAnswer } from '../poll-answer.ts';
import { EventParams } from './event-params.ts';

export interface PollDoorOptions {
  store: LineStore;
  identity: Identity;
  entryTokens: EntryTokens;
  metrics: LineMetrics;
  joinsPerVisitor: RateLimit;
  guestJoinsPerAddress: RateLimit;
  /** Whether cookies of this request's answer carry the Secure flag. */
  isSecure: (request: FastifyRequest) => boolean;
  tickMs: number;
  now: () => number;
}

const JOIN_BODY_LIMIT = 1024;
const LeaveAnswer = Type.Object({
  left: Type.Boolean({ description: 'false if the visitor had no place' }),
  status: Type.Literal('not_in_queue'),
});

export const pollDoor: FastifyPluginAsyncTypebox<PollDoorOptions> = async (app, options) => {
  const { store, metrics } = options;
  const schema = { tags: ['line: poll door'], params: EventParams, response: { 200: PollAnswer } };

  app.post(
    '/queue/check/:eventId',
    { bodyLimit: JOIN_BODY_LIMIT, schema: { ...schema, summary: 'Join the line, or find the place one has' } },
    async (request, reply) => {
      const { eventId } = request.params;
      const visitor = requireVisitor(request, reply, options) ?? (await welcomeGuest(eventId, request, reply, options));
      await refuseTooManyJoins(eventId, visitor, request, options);
      const outcome = await store.join(eventId, visitor.id);
      metrics.countJoin(outcome.outcome);
      if (outcome.outcome === 'no-room') throw noRoom(eventId);
      if (outcome.outcome === 'closed') throw new AppError('ROOM_CLOSED');
      if (outcome.outcome === 'joined') countJoin(visitor, request, options);
      return answer(eventId, visitor, outcome, request, reply, options);
    },
  );

  app.get(
    '/queue/status/:eventId',
    { schema: { ...schema, summary: 'Where one stands; counts as a sign of life' } },
    (request, reply) => tellStanding(request.params.eventId, request, reply),
  );

  app.post(
    '/queue/heartbeat/:eventId',
    { bodyLimit: JOIN_BODY_LIMIT, schema: { ...schema, summary: 'A sign of life; the answer is that of status' } },
    (request, reply) => tellStanding(request.params.eventId, request, reply),
  );

  app.post(
    '/queue/leave/:eventId',
    {
      bodyLimit: JOIN_BODY_LIMIT,
      schema: { ...schema, response: { 200: LeaveAnswer }, summary: 'Give up the place' },
    },
    async (request, reply) => {
      const { eventId } = request.params;
      const visitor = requireVisitor(request, reply, options);
      const outcome = visitor === undefined ? await absence(eventId) : await store.leave(eventId, visitor.id);
      if (outcome.outcome === 'no-room') throw noRoom(eventId);
      if (outcome.outcome === 'left') metrics.countLeave(outcome.from);
      reply.header('set-cookie', writeCookie(ENTRY_COOKIE, '', cookieFor(request, 0, options)));
      return { left: outcome.outcome === 'left', status: 'not_in_queue' as const };
    },
  );

  async function tellStanding(eventId: string, request: FastifyRequest, reply: FastifyReply): Promise<PollAnswer> {
    const visitor = requireVisitor(request, reply, options);
    metrics.countPoll();
    // A guest who has no cookie yet has no place either, and gets no identity by asking.
    const outcome = await (visitor === undefined ? store.find(eventId, '') : store.look(eventId, visitor.id));
    if (outcome.outcome === 'no-room') throw noRoom(eventId);
    return answer(eventId, visitor, outcome, request, reply, options);
  }

  async function absence(eventId: string) {
    const room = await store.findRoom(eventId);
    return room === undefined ? ({ outcome: 'no-room' } as const) : ({ outcome: 'absent' } as const);
  }
};

const noRoom = (eventId: string): AppError =>
  new AppError('EVENT_NOT_FOUND', { message: `There is no room for the event ${eventId}.` });

/** Who is asking; undefined for somebody new where guests are welcome. */
function requireVisitor(request: FastifyRequest, reply: FastifyReply, options: PollDoorOptions): Visitor | undefined {
  const identification = options.identity.identify(request.headers);
  if (identification.outcome === 'known') return identification.visitor;
  if (identification.outcome === 'nobody') {
    if (options.identity.guestsWelcome) return undefined;
    throw new AppError('UNAUTHENTICATED');
  }
  // Without this, a browser would present the same bad cookie for ever.
  if (identification.presented === 'guest') {
    reply.header('set-cookie', writeCookie(GUEST_COOKIE, '', cookieFor(request, 0, options)));
  }
  throw new AppError('INVALID_TOKEN');
}

/** Gives a newcomer an identity, once it is sure that they can use it. */
async function welcomeGuest(
  eventId: string,
  request: FastifyRequest,
  reply: FastifyReply,
  options: PollDoorOptions,
): Promise<Visitor> {
  if ((await options.store.findRoom(eventId)) === undefined) throw noRoom(eventId);
  const { visitor, token } = options.identity.createGuest();
  reply.header('set-cookie', writeCookie(GUEST_COOKIE, token, cookieFor(request, GUEST_DAYS * 86_400, options)));
  return visitor;
}

/** Only new places are limited: asking again for the place one has costs nobody anything. */
async function refuseTooManyJoins(
  eventId: string,
  visitor: Visitor,
  request: FastifyRequest,
  options: PollDoorOptions,
): Promise<void> {
  const seconds = secondsToWait(visitor, request, options);
  if (seconds === 0) return;
  const known = await options.store.find(eventId, visitor.id);
  if (known.outcome === 'found' && known.standing.state !== 'absent') return;
  options.metrics.countJoin('limited');
  throw new AppError('RATE_LIMITED', {
    message: `Too many places were taken from here. Try again in ${seconds} seconds.`,
    retryAfterSeconds: seconds,
  });
}

function secondsToWait(visitor: Visitor, request: FastifyRequest, options: PollDoorOptions): number {
  const own = options.joinsPerVisitor.secondsToWait(visitor.id);
  // A user's identity was vouched for by the site; only a guest can make up new ones.
  const shared = visitor.kind === 'guest' ? options.guestJoinsPerAddress.secondsToWait(addressKey(request.ip)) : 0;
  return Math.max(own, shared);
}

function countJoin(visitor: Visitor, request: FastifyRequest, options: PollDoorOptions): void {
  options.joinsPerVisitor.count(visitor.id);
  if (visitor.kind === 'guest') options.guestJoinsPerAddress.count(addressKey(request.ip));
}

function answer(
  eventId: string,
  visitor: Visitor | undefined,
  { standing, crowd }: { standing: Standing; crowd: Crowd },
  request: FastifyRequest,
  reply: FastifyReply,
  options: PollDoorOptions,
): PollAnswer {
  const isInside = standing.state === 'admitted' || standing.state === 'active';
  const entryToken = visitor && isInside ? options.entryTokens.issue(eventId, visitor.id, standing) : undefined;
  if (entryToken !== undefined && isInside) {
    const seconds = Math.max(0, Math.floor((standing.expiresAt - options.now()) / 1000));
    reply.header('set-cookie', writeCookie(ENTRY_COOKIE, entryToken, cookieFor(request, seconds, options)));
  }
  return toPollAnswer({ eventId, standing, crowd, tickMs: options.tickMs, entryToken });
}

function cookieFor(request: FastifyRequest, maxAgeSeconds: number, options: PollDoorOptions): CookieOptions {
  return { maxAgeSeconds, secure: options.isSecure(request) };
}
