/**
 * What every request and response must satisfy, declared once. The framework's hooks (http-server.ts) and the fast path
 * both apply this policy, so a header or a metric added here is on both.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyError } from 'fastify';
import type { AnswerHead, Caller } from './callers.ts';
import type { ClientErrorAnswer, ClientErrorKind } from './client-errors.ts';
import { type CorsPolicy, setCorsHeaders } from './cors.ts';
import type { FindHistogram } from './http-metrics.ts';

export interface ResponsePolicy {
  /** Addresses or CIDR ranges of proxies whose X-Forwarded headers count. */
  trustProxy: readonly string[];
  /** Origins besides our own whose pages may change something. */
  trustedOrigins: readonly string[];
  /** undefined: no page of another origin may use anything. */
  cors?: CorsPolicy | undefined;
  /** The value of Strict-Transport-Security over TLS; undefined: none. */
  hsts: string | undefined;
  createId: (request: { headers: IncomingHttpHeaders }) => string;
  onError: (error: FastifyError, request: FailedRequest, reply: ErrorReply) => void;
  /**
   * Awaited before the handler of a request; undefined for nearly all of them. If it rejects, the request fails with that
   * error. Absent: no request waits.
   */
  prepare?: ((headers: IncomingHttpHeaders) => Promise<void> | undefined) | undefined;
  /** What the policy itself refuses. */
  refusals: Refusals;
  /** undefined: requests are not measured. */
  findHistogram?: FindHistogram;
}

export interface Refusals {
  crossSite(): Error;
  missingHost(): Error;
  wrongMethod(): Error;
  stopping(): Error;
  clientError(kind: ClientErrorKind): ClientErrorAnswer;
}

export type FailedRequest = Pick<Caller, 'id' | 'headers'> & {
  /** undefined on the fast path, which serves no pages. */
  url?: string;
  routeOptions: { url?: string | undefined; bodyLimit?: number };
};

/** The part of Fastify's reply that an error response needs. */
export interface ErrorReply extends AnswerHead {
  code(status: number): { send(body: object | string): unknown };
}

/** A handler may override them. A response that does not say it is public is personal, and nothing may frame it. */
export const defaultHeaders: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
};

/**
 * For what a browser may show: pages, redirects, errors. Left out of data, which is most of the traffic of a sale.
 * `same-origin` keeps the Origin header of our forms, which `no-referrer` would turn into `null`. Popups keep their
 * opener, because payment providers use them.
 */
export const documentHeaders: Readonly<Record<string, string>> = {
  'referrer-policy': 'same-origin',
  'permissions-policy': 'camera=(), display-capture=(), geolocation=(), microphone=(), usb=()',
  'cross-origin-opener-policy': 'same-origin-allow-popups',
};

export const HSTS_HEADER = 'strict-transport-security';

export function isDocument(status: number, contentType: string): boolean {
  return status >= 300 || !contentType.startsWith('application/json');
}

/** Headers that depend on the request. */
export function setRequestHeaders(
  request: Pick<Caller, 'id' | 'headers' | 'protocol'> & { routeOptions?: { url?: string | undefined } },
  head: AnswerHead,
  { hsts, cors }: Pick<ResponsePolicy, 'hsts' | 'cors'>,
): void {
  // Errors always name their trace id. Other responses echo only an id that the client sent: each header has a cost.
  if (request.headers['x-request-id'] !== undefined) head.header('x-request-id', request.id);
  if (hsts !== undefined && request.protocol === 'https') head.header(HSTS_HEADER, hsts);
  if (cors !== undefined) setCorsHeaders(cors, request.routeOptions?.url, request.headers, head);
}
