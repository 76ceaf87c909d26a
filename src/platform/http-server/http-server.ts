/** An HTTP server with the limits, timeouts and response policy that all endpoints share. */
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { batchFlushes } from './flush-batch.ts';
import { measureRequests } from './http-metrics.ts';
import { closeIdleConnections } from './idle-connections.ts';
import { addPolicyHook, trackRequestHooks } from './request-hooks.ts';
import { defaultHeaders, type ResponsePolicy, setRequestHeaders } from './response-policy.ts';
import { schemaCompilers } from './schema-compilers.ts';

const BODY_LIMIT = 8 * 1024;
const HEADERS_TIMEOUT_MS = 5_000;
const REQUEST_TIMEOUT_MS = 10_000;
/** How often Node looks for connections past their timeout. With its default of 30 s the timeouts above mean little. */
const TIMEOUT_CHECK_MS = 1_000;
const MAX_PARAM_LENGTH = 256;

export function createHttpServer(
  policy: ResponsePolicy,
  onNotFound: (request: FastifyRequest, reply: FastifyReply) => void,
): FastifyInstance {
  const { trustProxy, createId } = policy;
  const app = Fastify({
    // Fastify's logger costs a child logger and two listeners per request even when it is silent. Errors are logged by
    // the error handler, and requests are measured.
    logger: false,
    genReqId: createId,
    trustProxy: trustProxy.length > 0 ? [...trustProxy] : false,
    bodyLimit: BODY_LIMIT,
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: { headersTimeout: HEADERS_TIMEOUT_MS, connectionsCheckingInterval: TIMEOUT_CHECK_MS },
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
  trackRequestHooks(app);
  acceptEmptyJson(app);
  closeIdleConnections(app);
  applyPolicy(app, policy);
  app.setNotFoundHandler(onNotFound);
  return app;
}

function applyPolicy(app: FastifyInstance, { onError, findHistogram }: ResponsePolicy): void {
  batchFlushes(app);
  addPolicyHook(app, 'onRequest', (request: FastifyRequest, reply: FastifyReply, done: () => void) => {
    reply.headers(defaultHeaders);
    setRequestHeaders(request, reply);
    done();
  });
  if (findHistogram !== undefined) measureRequests(app, findHistogram);
  app.setErrorHandler(onError);
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
