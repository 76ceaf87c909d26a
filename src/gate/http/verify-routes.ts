/**
 * The gate as an endpoint for other proxies (auth_request, forward auth). With an event: does the caller hold a valid
 * entry token whose admission has not ended? Without: may the described request pass the rules?
 */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { AppError } from '../../http/errors.ts';
import { EventParams } from '../../http/event-params.ts';
import type { Caller } from '../../platform/http-server/callers.ts';
import type { Refusal } from '../decision/decide.ts';
import type { GateRequest, VerificationKeys } from '../decision/gate-request.ts';
import type { Guard } from '../guard.ts';
import { checkEntry, type EntryCheckOptions } from '../lookups/check-entry.ts';
import { toAnswerHeaders } from '../sessions/answer-headers.ts';
import { type Dialect, hostOf, readOriginalRequest, toDialect, toProxyHeaders } from './forward-auth.ts';

export interface VerifyRouteOptions extends EntryCheckOptions {
  keys: VerificationKeys;
  guard: Guard;
  /** Whether the visitor came over TLS, as the proxy says. */
  isSecure: (request: Caller) => boolean;
}

const VerifyQuery = Type.Partial(EventParams);
const VerifyAnswer = Type.Object({
  eventId: Type.Optional(Type.String()),
  visitor: Type.Optional(Type.String()),
  tokenId: Type.Optional(Type.String()),
  expiresAt: Type.Optional(Type.String()),
});
/** For proxies that send the visitor's own method and path, prefixed. */
const PREFIX = '/gate/check';

export const verifyRoutes: FastifyPluginAsyncTypebox<VerifyRouteOptions> = async (app, options) => {
  app.get(
    '/gate/verify',
    {
      schema: {
        tags: ['gate'],
        summary:
          'Check that the caller holds a valid entry token for an event, or that the request a proxy describes may pass',
        querystring: VerifyQuery,
        response: { 200: VerifyAnswer },
      },
    },
    async (request, reply) => {
      const { eventId } = request.query;
      if (eventId === undefined) return verifyByRules(request, reply, options);
      const original = readOriginalRequest(request.headers);
      if (original.outcome === 'found' && isQueryOfVisitor(request.raw.url ?? '', original.request)) {
        const decision = await options.guard.decide({ ...original.request, address: request.ip });
        if (decision.outcome !== 'pass') return refuse(decision, original.dialect, reply);
      }
      return verifyEvent(eventId, request, options);
    },
  );

  app.register(async (scope) => {
    // The decision needs no body, so none is parsed.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null, undefined));
    // The proxy sends the visitor's own method and headers; the request is about the site and changes nothing here.
    const config = { crossSite: 'allowed' } as const;
    scope.all(`${PREFIX}/*`, { config, schema: { hide: true } }, async (request, reply) => {
      const target = (request.raw.url ?? '').slice(PREFIX.length);
      const { method, headers, ip: address } = request;
      const described = { method, target, headers, host: hostOf(headers), address };
      return answerByRules(described, 'forward-auth', request, reply, options);
    });
  });
};

/** Some proxies copy the visitor's query to the check. Then it is the visitor who chose the event, and the rules count too. */
function isQueryOfVisitor(url: string, { target }: GateRequest): boolean {
  const queryOf = (text: string) => (text.includes('?') ? text.slice(text.indexOf('?') + 1) : '');
  return queryOf(url) === queryOf(target);
}

async function verifyEvent(eventId: string, request: FastifyRequest, options: VerifyRouteOptions) {
  const checked = await checkEntry(eventId, { headers: request.headers, host: hostOf(request.headers) }, options);
  if (checked.outcome === 'refused') throw new AppError(checked.code, { redirectTo: checked.redirectTo });
  const { visitor, tokenId, expiresAt } = checked.entry;
  return { eventId, visitor, tokenId, expiresAt: new Date(expiresAt).toISOString() };
}

function verifyByRules(request: FastifyRequest, reply: FastifyReply, options: VerifyRouteOptions) {
  const original = readOriginalRequest(request.headers);
  if (original.outcome !== 'found') {
    const message =
      original.outcome === 'none'
        ? 'Nothing to verify. Send the query parameter eventId, or the headers X-Original-URI and X-Original-Method, or X-Forwarded-Uri and X-Forwarded-Method.'
        : 'The headers X-Original-URI, X-Forwarded-Uri, X-Original-Method and X-Forwarded-Method must name exactly one URI and one method.';
    throw new AppError('INVALID_INPUT', { message });
  }
  const described = { ...original.request, address: request.ip };
  return answerByRules(described, original.dialect, request, reply, options);
}

async function answerByRules(
  original: GateRequest,
  dialect: Dialect,
  request: FastifyRequest,
  reply: FastifyReply,
  { guard, isSecure }: VerifyRouteOptions,
) {
  const decision = await guard.decide({ ...original, isSecure: () => isSecure(request) });
  // Without a body: nginx discards the body of a check and closes the connection that carried it.
  if (decision.outcome === 'pass') {
    for (const [name, value] of toAnswerHeaders(decision)) reply.header(name, value);
    return reply.headers(toProxyHeaders(decision)).send();
  }
  return refuse(decision, dialect, reply);
}

function refuse(refusal: Refusal, dialect: Dialect, reply: FastifyReply): FastifyReply {
  const { status, headers, body } = toDialect(refusal, dialect);
  return reply.code(status).headers(headers).send(body);
}
