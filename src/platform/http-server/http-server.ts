/** An HTTP server with the limits, timeouts and response policy that all endpoints share. */
import type { Server } from 'node:http';
import { Readable } from 'node:stream';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { type FindMethods, trackMethods } from './allowed-methods.ts';
import { createCallers } from './callers.ts';
import { answerClientErrors } from './client-errors.ts';
import { answerPreflights, isListed } from './cors.ts';
import { isCrossSite, refusesCrossSite } from './cross-site.ts';
import { batchFlushes } from './flush-batch.ts';
import { measureRequests } from './http-metrics.ts';
import { closeIdleConnections } from './idle-connections.ts';
import { addPolicyHook, trackRequestHooks } from './request-hooks.ts';
import {
  defaultHeaders,
  documentHeaders,
  type ErrorReply,
  isDocument,
  type ResponsePolicy,
  setRequestHeaders,
} from './response-policy.ts';
import { trackRoutes } from './route-list.ts';
import { schemaCompilers } from './schema-compilers.ts';

const BODY_LIMIT = 8 * 1024;
const HEADERS_TIMEOUT_MS = 5_000;
const REQUEST_TIMEOUT_MS = 10_000;
/** How often Node looks for connections past their timeout. With its default of 30 s the timeouts above mean little. */
const TIMEOUT_CHECK_MS = 1_000;
const MAX_PARAM_LENGTH = 256;
/**
 * Node otherwise reads every request to its end, also one that has no body, which costs a poll four ticks. Known to Node
 * from 24.12 on, and ignored by older ones. Such a request emits no `end` and no `close`: listen to the response instead.
 */
const WITHOUT_BODY: object = { optimizeEmptyRequests: true };

export function createHttpServer(
  policy: ResponsePolicy,
  onNotFound: (request: FastifyRequest, reply: FastifyReply) => void,
): FastifyInstance {
  const { trustProxy, createId } = policy;
  const callers = createCallers(trustProxy);
  const app = Fastify({
    // Fastify's logger costs a child logger and two listeners per request even when it is silent. Errors are logged by
    // the error handler, and requests are measured.
    logger: false,
    genReqId: createId,
    trustProxy: trustProxy.length > 0 ? [...trustProxy] : false,
    bodyLimit: BODY_LIMIT,
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    requestTimeout: REQUEST_TIMEOUT_MS,
    // Node and Fastify would answer a missing Host, a broken URL or a late request in shapes of their own.
    http: {
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
      requireHostHeader: false,
      ...WITHOUT_BODY,
    },
    return503OnClosing: false,
    clientErrorHandler: () => {},
    frameworkErrors: (error, request, reply) => {
      // No hook runs for these, and the request does not know of trusted proxies.
      const { id, headers } = request;
      reply.headers({ ...defaultHeaders, ...documentHeaders });
      setRequestHeaders({ id, headers, protocol: callers.protocolOf(request.raw) }, reply, policy);
      policy.onError(error, request, reply as ErrorReply);
    },
    schemaController: { compilersFactory: schemaCompilers },
    // A wrong type or an unknown field is an error of the client and is never corrected silently.
    ajv: {
      customOptions: {
        removeAdditional: false,
        coerceTypes: false,
        useDefaults: false,
        allErrors: true,
        verbose: true,
      },
    },
  }) as unknown as FastifyInstance;
  trackRoutes(app);
  const findMethods = trackMethods(app);
  trackRequestHooks(app);
  acceptEmptyJson(app);
  closeIdleConnections(app);
  ignoreExpectations(app);
  answerClientErrors(app.server as Server, policy.refusals.clientError);
  if (policy.cors !== undefined) answerPreflights(app, policy.cors, policy.refusals.crossSite);
  applyPolicy(app, policy, findMethods);
  app.setNotFoundHandler(onNotFound);
  return app;
}

function applyPolicy(app: FastifyInstance, policy: ResponsePolicy, findMethods: FindMethods): void {
  batchFlushes(app);
  parseMissingBodies(app);
  const findRefusal = createRequestCheck(app, policy);
  addPolicyHook(app, 'onRequest', (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => {
    reply.headers(defaultHeaders);
    setRequestHeaders(request, reply, policy);
    const refusal =
      findRefusal(request) ?? (request.is404 ? refuseWrongMethod(request, reply, policy, findMethods) : undefined);
    const preparing = refusal === undefined ? policy.prepare?.(request.headers) : undefined;
    if (preparing === undefined) done(refusal);
    else preparing.then(() => done(), done);
  });
  addPolicyHook(
    app,
    'onSend',
    (request: FastifyRequest, reply: FastifyReply, payload: unknown, done: (error: null, payload: unknown) => void) => {
      // Whatever the handler did, another site must not replace a visitor's identity.
      if (request.isCrossSite) reply.removeHeader('set-cookie');
      if (isDocument(reply.statusCode, String(reply.getHeader('content-type') ?? ''))) addDocumentHeaders(reply);
      done(null, payload);
    },
  );
  if (policy.findHistogram !== undefined) measureRequests(app, policy.findHistogram);
  app.setErrorHandler(policy.onError);
}

/** Why a request is refused before its route sees it; undefined if it is not. The fast path takes none of these. */
function createRequestCheck(app: FastifyInstance, { refusals, trustedOrigins, cors }: ResponsePolicy) {
  const trusted = new Set(trustedOrigins);
  let isClosing = false;
  app.decorateRequest('isCrossSite', false);
  app.addHook('preClose', async () => {
    isClosing = true;
  });
  return (request: FastifyRequest): Error | undefined => {
    if (isClosing) return refusals.stopping();
    if (request.headers.host === undefined && request.raw.httpVersion === '1.1') return refusals.missingHost();
    const { config, url } = request.routeOptions;
    request.isCrossSite = !isListed(cors, url, request.headers) && isCrossSite(request, trusted);
    return request.isCrossSite && refusesCrossSite(request.method, config?.crossSite)
      ? refusals.crossSite()
      : undefined;
  };
}

function addDocumentHeaders(reply: FastifyReply): void {
  for (const name in documentHeaders) if (!reply.hasHeader(name)) reply.header(name, documentHeaders[name]!);
}

/** Before the body is read, which could be refused for reasons that only matter to an endpoint. */
function refuseWrongMethod(
  { method, url }: FastifyRequest,
  reply: FastifyReply,
  { refusals }: ResponsePolicy,
  findMethods: FindMethods,
): Error | undefined {
  const methods = findMethods(url);
  if (methods.length === 0 || methods.includes(method)) return undefined;
  reply.header('allow', methods.join(', '));
  return refusals.wrongMethod();
}

/** Node answers an `Expect` other than 100-continue with an empty 417; a server may ignore it (RFC 9110, 10.1.1). */
function ignoreExpectations({ server }: FastifyInstance): void {
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
}

/** Fastify waits for the end of a body by its type alone; a request without one has ended before. See WITHOUT_BODY. */
function parseMissingBodies(app: FastifyInstance): void {
  addPolicyHook(
    app,
    'preParsing',
    ({ raw }: FastifyRequest, _reply: unknown, payload: unknown, done: (error: null, payload: unknown) => void) =>
      done(null, raw.readableEnded && raw.headers['content-type'] !== undefined ? Readable.from([]) : payload),
  );
}

/** Clients that post an empty body often still send `content-type: application/json`. */
function acceptEmptyJson(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.length === 0) done(null, undefined);
    else parseJson(request, body as string, done);
  });
}
