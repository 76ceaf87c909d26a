/**
 * The gate as an endpoint for other proxies (auth_request, forward auth). With an event: does the caller hold a valid
 * entry token whose admission has not ended? Without: may the described request pass the rules?
 */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
import { Type } from 'typebox';
import { AppError } from '../../http/errors.ts';
import { EventParams } from '../../http/event-params.ts';
import type { DoorRule } from '../../line/door-rule.ts';
import { addFastForm } from '../../platform/fast-http/fast-path.ts';
import type { FastHead } from '../../platform/fast-http/route-table.ts';
import type { Caller } from '../../platform/http-server/callers.ts';
import { isPlainlyOwn } from '../../platform/http-server/cross-site.ts';
import type { Refusal } from '../decision/decision.ts';
import type { GateRequest, VerificationKeys } from '../decision/gate-request.ts';
import { gateErrors } from '../decision/refuse.ts';
import type { Guard } from '../guard.ts';
import { checkEntry, type EntryCheckOptions } from '../lookups/check-entry.ts';
import { toAnswerHeaders } from '../sessions/answer-headers.ts';
import {
  type CheckFacts,
  type Dialect,
  hostOf,
  type OriginalRequest,
  readOriginalRequest,
  toDialect,
  toProxyHeaders,
} from './forward-auth.ts';

export interface VerifyRouteOptions extends EntryCheckOptions {
  keys: VerificationKeys;
  guard: Guard;
  /** Whether the visitor came over TLS, as the proxy says. */
  isSecure: (request: Caller) => boolean;
  /** Bans also count for a session that has not ended. */
  doorRule: Pick<DoorRule, 'findRefusal'>;
}

const VerifyQuery = Type.Partial(EventParams);
const VerifyAnswer = Type.Object({
  eventId: Type.Optional(Type.String()),
  visitor: Type.Optional(Type.String()),
  tokenId: Type.Optional(Type.String()),
  expiresAt: Type.Optional(Type.String()),
});
const VERIFY_PATH = '/gate/verify';
/** For proxies that send the visitor's own method and path, prefixed. */
const PREFIX = '/gate/check';

export const verifyRoutes: FastifyPluginAsyncTypebox<VerifyRouteOptions> = async (app, options) => {
  const verify: RouteHandlerMethod = async (request, reply) => {
    const { eventId } = request.query as { eventId?: string };
    if (eventId === undefined) return verifyByRules(request, reply, options);
    const original = readOriginalRequest(request.headers, factsOf(request, options));
    if (original.outcome === 'found' && isQueryOfVisitor(request.raw.url ?? '', original.request)) {
      const decision = await options.guard.decide(original.request);
      if (decision.outcome !== 'pass') return refuse(decision, original.dialect, reply);
    }
    return verifyEvent(eventId, request, options);
  };
  // A proxy asks for every request of every visitor, without a query.
  addFastForm(app, {
    method: 'GET',
    url: VERIFY_PATH,
    isForAnySite: true,
    handler: verify,
    handle: (caller, head) => verifyQuickly(caller, head, options),
  });
  app.get(
    VERIFY_PATH,
    {
      schema: {
        tags: ['gate'],
        operationId: 'verifyEntry',
        summary:
          'Check that the caller holds a valid entry token for an event, or that the request a proxy describes may pass',
        description:
          'Without eventId, the headers X-Original-URI and X-Original-Method (nginx) or X-Forwarded-Uri and ' +
          'X-Forwarded-Method (Traefik, Caddy) describe the request. Then the response has no body if it may pass. nginx ' +
          'gets 401 where others get a redirect.',
        security: [{ admitted: [] }, {}],
        errors: [...gateErrors, 'METHOD_NOT_ALLOWED'],
        querystring: VerifyQuery,
        response: {
          200: VerifyAnswer,
          302: Type.Null({ description: 'Where the visitor has to wait, in Location' }),
          401: Type.Null({ description: 'To nginx: the visitor has to wait, at X-Fairline-Redirect' }),
        },
      },
    },
    verify as never,
  );

  app.register(async (scope) => {
    // The decision needs no body, so none is parsed.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null, undefined));
    // The proxy sends the visitor's own method and headers; the request is about the site and changes nothing here.
    const config = { crossSite: 'allowed' } as const;
    scope.all(`${PREFIX}/*`, { config, schema: { hide: true } }, async (request, reply) => {
      const target = (request.raw.url ?? '').slice(PREFIX.length);
      const { method, headers } = request;
      const described = { method, target, headers, host: hostOf(headers), ...factsOf(request, options) };
      return answerByRules(described, 'forward-auth', reply, options);
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
  const refused = options.doorRule.findRefusal({ eventId, visitor, caller: request }, 'stay');
  if (refused !== undefined) throw new AppError(refused.code, { redirectTo: `/queue/${eventId}` });
  return { eventId, visitor, tokenId, expiresAt: new Date(expiresAt).toISOString() };
}

function verifyByRules(request: FastifyRequest, reply: FastifyReply, options: VerifyRouteOptions) {
  const { request: described, dialect } = requireOriginal(request, options);
  return answerByRules(described, dialect, reply, options);
}

function requireOriginal(caller: Caller, options: VerifyRouteOptions): Extract<OriginalRequest, { outcome: 'found' }> {
  const original = readOriginalRequest(caller.headers, factsOf(caller, options));
  if (original.outcome === 'found') return original;
  const message =
    original.outcome === 'none'
      ? 'Nothing to verify. Send the query parameter eventId, or the headers X-Original-URI and X-Original-Method, or X-Forwarded-Uri and X-Forwarded-Method.'
      : 'The headers X-Original-URI, X-Forwarded-Uri, X-Original-Method and X-Forwarded-Method must name exactly one URI and one method.';
  throw new AppError('INVALID_INPUT', { message });
}

function factsOf(caller: Caller, { isSecure }: VerifyRouteOptions): CheckFacts {
  return { address: caller.ip, isSecure: () => isSecure(caller) };
}

async function answerByRules(
  original: GateRequest,
  dialect: Dialect,
  reply: FastifyReply,
  { guard }: VerifyRouteOptions,
) {
  const decision = await guard.decide(original);
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

/** The same responses as `verifyByRules`, on the fast path. */
async function verifyQuickly(caller: Caller, head: FastHead, options: VerifyRouteOptions): Promise<string> {
  const { request, dialect } = requireOriginal(caller, options);
  const decision = await options.guard.decide(request);
  if (decision.outcome === 'pass') {
    for (const [name, value] of toAnswerHeaders(decision)) {
      // As the framework's hook does: a request that another site caused sets no cookies.
      if (name !== 'set-cookie' || isPlainlyOwn(caller.headers)) head.header(name, value);
    }
    setAll(head, toProxyHeaders(decision));
    return '';
  }
  const { status, headers: fields, body } = toDialect(decision, dialect);
  head.code(status);
  setAll(head, fields);
  return body;
}

function setAll(head: FastHead, headers: Readonly<Record<string, string>>): void {
  for (const name in headers) head.header(name, headers[name]!);
}
