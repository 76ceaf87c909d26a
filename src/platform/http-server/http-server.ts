/** An HTTP server with the limits, timeouts and trace ids that every address of this program has. */
import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { batchFlushes } from './flush-batch.ts';
import { schemaCompilers } from './schema-compilers.ts';
import { closeSilentConnections } from './silent-connections.ts';

export interface HttpServerOptions {
  trustProxy: readonly string[];
  createId?: (request: { headers: IncomingHttpHeaders }) => string;
  onError: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => void;
  onNotFound: (request: FastifyRequest, reply: FastifyReply) => void;
}

const BODY_LIMIT = 8 * 1024;
const HEADERS_TIMEOUT_MS = 5_000;
const REQUEST_TIMEOUT_MS = 10_000;
/** How often Node looks for connections past their timeout; its default of 30 s would make the others meaningless. */
const TIMEOUT_CHECK_MS = 1_000;
const LONGEST_PARAM = 256;
const TRACE_ID = /^[A-Za-z0-9_.-]{1,64}$/;

export function createHttpServer(options: HttpServerOptions): FastifyInstance {
  const { trustProxy, createId = createTraceIds(), onError, onNotFound } = options;
  const app = Fastify({
    // Its own logging costs a child logger and two listeners per request, asked for or not. Errors are logged where they
    // are answered, and requests are measured.
    logger: false,
    genReqId: createId,
    trustProxy: trustProxy.length > 0 ? [...trustProxy] : false,
    bodyLimit: BODY_LIMIT,
    routerOptions: { maxParamLength: LONGEST_PARAM },
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: { headersTimeout: HEADERS_TIMEOUT_MS, connectionsCheckingInterval: TIMEOUT_CHECK_MS },
    schemaController: { compilersFactory: schemaCompilers },
    // A wrong type or an unknown field is an error of the caller's, never to be guessed away.
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
  acceptEmptyJson(app);
  closeSilentConnections(app);
  batchFlushes(app);
  app.addHook('onRequest', (request, reply, done) => {
    // What is not said to be public is personal.
    reply.header('cache-control', 'no-store');
    reply.header('x-content-type-options', 'nosniff');
    // Errors name their trace id; an answer names it only to whoever brought one, since each header costs its share.
    if (request.headers['x-request-id'] !== undefined) reply.header('x-request-id', request.id);
    done();
  });
  app.setErrorHandler(onError);
  app.setNotFoundHandler(onNotFound);
  return app;
}

/** The caller's own id where it is harmless, so that traces join up; else a new one. */
export function createTraceIds(): (request: { headers: IncomingHttpHeaders }) => string {
  const prefix = randomBytes(6).toString('base64url');
  let count = 0;
  return ({ headers }) => {
    const given = headers['x-request-id'];
    if (typeof given === 'string' && TRACE_ID.test(given)) return given;
    count += 1;
    return `${prefix}-${count.toString(36)}`;
  };
}

/** Clients that post nothing often still say that it is JSON. */
function acceptEmptyJson(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.length === 0) done(null, undefined);
    else parseJson(request, body as string, done);
  });
}
