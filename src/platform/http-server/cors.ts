/**
 * Lets pages of listed origins use some endpoints, with credentials (CORS). All other endpoints have no CORS headers and
 * answer no preflight, so no page of another origin can read them or send them more than a form can.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { AnswerHead } from './callers.ts';

export interface CorsPolicy {
  origins: readonly string[];
  /** The endpoints, as their routes are written: `/api/queue/check/:eventId`. */
  urls: ReadonlySet<string>;
}

const PREFLIGHT_SECONDS = 600;
const REQUEST_HEADERS =
  'authorization, content-type, idempotency-key, x-queue-entry-token, x-queue-proof, x-request-id, x-trace-id, x-waiting-token';
const RESPONSE_HEADERS = 'retry-after, x-request-id';

/** Whether the request comes from a page of a listed origin and is for one of the endpoints. */
export function isListed(cors: CorsPolicy | undefined, url: string | undefined, headers: IncomingHttpHeaders): boolean {
  const { origin } = headers;
  return cors !== undefined && origin !== undefined && cors.urls.has(url ?? '') && cors.origins.includes(origin);
}

export function setCorsHeaders(
  cors: CorsPolicy,
  url: string | undefined,
  headers: IncomingHttpHeaders,
  head: AnswerHead,
): void {
  if (!cors.urls.has(url ?? '')) return;
  head.header('vary', 'Origin');
  if (!isListed(cors, url, headers)) return;
  head.header('access-control-allow-origin', headers.origin!);
  head.header('access-control-allow-credentials', 'true');
  head.header('access-control-expose-headers', RESPONSE_HEADERS);
}

/** Adds an OPTIONS route beside each of the endpoints. Call it before they are registered. */
export function answerPreflights(app: FastifyInstance, cors: CorsPolicy, refuse: () => Error): void {
  const methods = new Map<string, string[]>();
  app.addHook('onRoute', function addPreflight(route) {
    const { url, routePath } = route as typeof route & { routePath: string };
    const added = [route.method].flat().filter((method) => method !== 'OPTIONS' && method !== 'HEAD');
    if (!cors.urls.has(url) || added.length === 0) return;
    const known = methods.get(url);
    if (known !== undefined) {
      known.push(...added);
      return;
    }
    const listed = [...added];
    methods.set(url, listed);
    this.route({
      method: 'OPTIONS',
      url: routePath,
      schema: { hide: true } as object,
      handler: async (request, reply) => {
        if (!isListed(cors, url, request.headers)) throw refuse();
        reply.header('access-control-allow-methods', listed.join(', '));
        reply.header('access-control-allow-headers', REQUEST_HEADERS);
        reply.header('access-control-max-age', PREFLIGHT_SECONDS);
        return reply.code(204).send();
      },
    });
  });
}
