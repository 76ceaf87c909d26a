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
/** What our clients send, and front ends that were written for other systems. */
const REQUEST_HEADERS =
  'authorization, content-type, entryauthtoken, idempotency-key, x-queue-entry-token, x-queue-proof, x-request-id, ' +
  'x-trace-id, x-waiting-token';
const RESPONSE_HEADERS = 'retry-after, x-request-id';

/** Whether the request comes from a page of a listed origin and is for one of the endpoints. */
export function isListed(cors: CorsPolicy | undefined, url: string | undefined, headers: IncomingHttpHeaders): boolean {
  return cors?.urls.has(url ?? '') === true && isListedOrigin(cors, headers);
}

export function isListedOrigin({ origins }: CorsPolicy, { origin }: IncomingHttpHeaders): boolean {
  return origin !== undefined && origins.includes(origin);
}

export function setCorsHeaders(
  cors: CorsPolicy,
  url: string | undefined,
  headers: IncomingHttpHeaders,
  head: AnswerHead,
): void {
  if (!cors.urls.has(url ?? '')) return;
  head.header('vary', 'Origin');
  if (isListedOrigin(cors, headers)) setAll(head, readableBy(headers.origin!));
}

/** The headers of a response that pages of this origin may read. */
export function readableBy(origin: string): Record<string, string> {
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': RESPONSE_HEADERS,
  };
}

/** The headers of a preflight's answer, besides those of `readableBy`. */
export function allowing(methods: readonly string[]): Record<string, string> {
  return {
    'access-control-allow-methods': methods.join(', '),
    'access-control-allow-headers': REQUEST_HEADERS,
    'access-control-max-age': String(PREFLIGHT_SECONDS),
  };
}

function setAll(head: AnswerHead, headers: Readonly<Record<string, string>>): void {
  for (const name in headers) head.header(name, headers[name]!);
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
        setAll(reply, allowing(listed));
        return reply.code(204).send();
      },
    });
  });
}
