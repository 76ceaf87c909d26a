/**
 * Sessions at gates in other processes: POST /gate/sessions takes what they have seen. POST /api/sessions/release ends one
 * session, for the site's own server behind any proxy.
 */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from 'typebox';
import { AppError } from '../../http/errors.ts';
import { EventParams } from '../../http/event-params.ts';
import type { Operators } from '../../identity/operators.ts';
import type { Services } from '../../identity/services.ts';
import type { EntryTokens } from '../../line/tokens/entry-tokens.ts';
import type { SessionDesk } from '../sessions/session-desk.ts';
import type { SessionKeeper } from '../sessions/session-keeper.ts';
import { MOST_SESSIONS, SESSIONS_PATH, type SessionAnswer } from '../sessions/session-report.ts';

export interface SessionRoutesOptions {
  desk: SessionDesk;
  services: Services;
}

/** 1,000 sessions with the longest ids. */
const REPORT_LIMIT = 1024 * 1024;
const Visitor = Type.String({ minLength: 1, maxLength: 200, description: 'X-Fairline-Visitor, decoded' });
const TokenId = Type.String({ minLength: 1, maxLength: 100, description: 'the claim jti of the entry token' });
const Session = Type.Object({ ...EventParams.properties, visitor: Visitor, tokenId: TokenId });
const EndedSession = Type.Object({ ...EventParams.properties, visitor: Visitor, tokenId: Type.Optional(TokenId) });

const Report = Type.Object(
  {
    seen: Type.Array(Session, { maxItems: MOST_SESSIONS, description: 'sessions whose visitors passed the gate' }),
    ended: Type.Array(EndedSession, { maxItems: MOST_SESSIONS, description: 'sessions that the site has ended' }),
  },
  { title: 'SessionReport' },
);
const Answer = Type.Object(
  {
    ended: Type.Optional(Type.Boolean({ description: 'true: the session is over' })),
    token: Type.Optional(Type.String({ description: 'the entry token with the new time' })),
    expiresAt: Type.Optional(Type.String({ description: 'when the session ends unless the visitor is seen again' })),
    sessionMs: Type.Optional(Type.Integer({ description: 'activeTtlMs of the room' })),
  },
  { title: 'SessionAnswer' },
);

export const gateSessionRoutes: FastifyPluginAsyncTypebox<SessionRoutesOptions> = async (app, { desk, services }) => {
  app.post(
    SESSIONS_PATH,
    {
      bodyLimit: REPORT_LIMIT,
      onRequest: async (request) => void (await services.require(request)),
      schema: {
        tags: ['gate'],
        security: [{ service: [] }],
        operationId: 'reportGateSessions',
        summary: 'For gates: sessions that were seen, and sessions that the site has ended',
        body: Report,
        response: {
          200: Type.Object({ seen: Type.Array(Answer, { description: 'one per seen session, in their order' }) }),
        },
      },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store');
      return { seen: (await desk.report(request.body)).map(toWire) };
    },
  );
};

export interface ReleaseRoutesOptions extends SessionRoutesOptions {
  entryTokens: Pick<EntryTokens, 'verify'>;
  /** The gate of this process, which then refuses the token at once. */
  keeper: Pick<SessionKeeper, 'markEnded'>;
  operators: Pick<Operators, 'audit'>;
}

const ReleaseBody = Type.Object(
  {
    eventId: Type.Optional(EventParams.properties.eventId),
    visitor: Type.Optional(Visitor),
    token: Type.Optional(Type.String({ maxLength: 2048, description: 'the entry token of the visitor' })),
  },
  { additionalProperties: false },
);
const ReleaseAnswer = Type.Object({
  released: Type.Boolean({ description: 'false if there was no such session, or it had ended before' }),
});

export const releaseRoutes: FastifyPluginAsyncTypebox<ReleaseRoutesOptions> = async (app, options) => {
  const { desk, services, keeper, operators } = options;
  app.decorateRequest('isOperator', false);
  app.post(
    '/sessions/release',
    {
      bodyLimit: 8 * 1024,
      onRequest: async (request) => {
        request.isOperator = (await services.require(request)) === 'operator';
      },
      schema: {
        tags: ['gate'],
        security: [{ service: [] }],
        operationId: 'releaseSession',
        errors: ['EVENT_NOT_FOUND'],
        summary: 'End the session of a visitor: eventId and visitor, or their entry token',
        body: ReleaseBody,
        response: { 200: ReleaseAnswer },
      },
    },
    async (request) => {
      const session = readSession(request.body, options.entryTokens);
      const { eventId, visitor } = session;
      const outcome = await desk.end(session);
      if (outcome.outcome === 'no-room') {
        throw new AppError('EVENT_NOT_FOUND', { message: `There is no room for the event ${eventId}.` });
      }
      const isReleased = outcome.outcome === 'ended';
      if (isReleased) keeper.markEnded({ eventId, visitor, tokenId: outcome.tokenId });
      if (request.isOperator) {
        await operators.audit(request, { action: 'end session', eventId, details: { visitor, released: isReleased } });
      }
      return { released: isReleased };
    },
  );
};

declare module 'fastify' {
  interface FastifyRequest {
    /** At endpoints for servers and operators: an operator asks. */
    isOperator: boolean;
  }
}

function readSession(
  { eventId, visitor, token }: Static<typeof ReleaseBody>,
  entryTokens: Pick<EntryTokens, 'verify'>,
) {
  if (token === undefined && eventId !== undefined && visitor !== undefined) return { eventId, visitor };
  if (token === undefined || eventId !== undefined || visitor !== undefined) {
    throw new AppError('INVALID_INPUT', { message: 'Send either eventId and visitor, or token.' });
  }
  const entry = entryTokens.verify(token);
  if (entry !== undefined) return entry;
  throw new AppError('INVALID_INPUT', {
    message: 'token is no valid entry token, or it has expired. Send eventId and visitor instead.',
    fields: [{ field: 'token', message: 'must be a valid entry token' }],
  });
}

function toWire(answer: SessionAnswer) {
  if (answer.outcome === 'ended') return { ended: true };
  const { token, expiresAt, sessionMs } = answer;
  return { ...(token === undefined ? {} : { token }), expiresAt: new Date(expiresAt).toISOString(), sessionMs };
}
