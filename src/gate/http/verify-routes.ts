/**
 * The gate for proxies that ask before they let a request pass. By event: whether the caller holds a good entry token
 * of an admission that has not ended. By rules: whether the request that the proxy describes may pass.
 */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { AppError } from '../../http/errors.ts';
import { EventParams } from '../../http/event-params.ts';
import { checkEntry, type EntryCheckOptions } from '../check-entry.ts';
import type { GateRequest, Keys } from '../decide.ts';
import { type Dialect, readAsked, toDialect, toPassHeaders } from '../forward-auth.ts';
import type { Guard } from '../guard.ts';

export interface VerifyRouteOptions extends EntryCheckOptions {
  keys: Keys;
  guard: Guard;
}

const VerifyQuery = Type.Partial(EventParams);
const VerifyAnswer = Type.Object({
  eventId: Type.Optional(Type.String()),
  visitor: Type.Optional(Type.String()),
  tokenId: Type.Optional(Type.String()),
  expiresAt: Type.Optional(Type.String()),
});
/** Proxies that ask with the visitor's own request, under this prefix. */
const PREFIX = '/gate/check';

export const verifyRoutes: FastifyPluginAsyncTypebox<VerifyRouteOptions> = async (app, options) => {
  app.get(
    '/gate/verify',
    {
      schema: {
        tags: ['gate'],
        summary:
          'Whether the caller holds a good entry token for an event, or may send the request that a proxy describes',
        querystring: VerifyQuery,
        response: { 200: VerifyAnswer },
      },
    },
    async (request, reply) => {
      const { eventId } = request.query;
      return eventId === undefined ? verifyByRules(request, reply, options) : verifyEvent(eventId, request, options);
    },
  );

  app.register(async (scope) => {
    // A proxy sends the head of the visitor's request; of a body, if there is one, nothing is needed.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null, undefined));
    scope.all(`${PREFIX}/*`, { schema: { hide: true } }, async (request, reply) => {
      const target = (request.raw.url ?? '').slice(PREFIX.length);
      const described = { method: request.method, target, headers: request.headers };
      return answerByRules(described, 'forward-auth', reply, options);
    });
  });
};

async function verifyEvent(eventId: string, request: FastifyRequest, options: VerifyRouteOptions) {
  const checked = await checkEntry(eventId, request.headers, options);
  if (checked.outcome === 'refused') throw new AppError(checked.code, { redirectTo: checked.redirectTo });
  const { visitor, tokenId, expiresAt } = checked.entry;
  return { eventId, visitor, tokenId, expiresAt: new Date(expiresAt).toISOString() };
}

function verifyByRules(request: FastifyRequest, reply: FastifyReply, options: VerifyRouteOptions) {
  const asked = readAsked(request.headers);
  if (asked.outcome !== 'asked') {
    const message =
      asked.outcome === 'nothing'
        ? 'Give eventId in the query, or X-Original-URI and X-Original-Method, or X-Forwarded-Uri and X-Forwarded-Method.'
        : 'X-Original-URI, X-Forwarded-Uri and the method headers must name one address and one method.';
    throw new AppError('INVALID_INPUT', { message });
  }
  return answerByRules(asked.request, asked.dialect, reply, options);
}

async function answerByRules(asked: GateRequest, dialect: Dialect, reply: FastifyReply, { guard }: VerifyRouteOptions) {
  const decision = await guard(asked);
  if (decision.outcome === 'pass') {
    const { eventId, visitor } = decision;
    reply.headers(toPassHeaders(decision));
    return { ...(eventId === undefined ? {} : { eventId }), ...(visitor === undefined ? {} : { visitor }) };
  }
  const { status, headers, body } = toDialect(decision, dialect);
  return reply.code(status).headers(headers).send(body);
}
