/**
 * What every response must have, declared once. The framework's hooks (http-server.ts) and the fast path both apply
 * this policy, so a header or a metric added here is on both.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyError } from 'fastify';
import type { AnswerHead, Caller } from './callers.ts';
import type { FindHistogram } from './http-metrics.ts';

export interface ResponsePolicy {
  /** Addresses or CIDR ranges of proxies whose X-Forwarded headers count. */
  trustProxy: readonly string[];
  createId: (request: { headers: IncomingHttpHeaders }) => string;
  onError: (error: FastifyError, request: FailedRequest, reply: ErrorReply) => void;
  /** undefined: requests are not measured. */
  findHistogram?: FindHistogram;
}

export type FailedRequest = Pick<Caller, 'id'> & {
  routeOptions: { url?: string | undefined; bodyLimit?: number };
};

/** The part of Fastify's reply that an error response needs. */
export interface ErrorReply extends AnswerHead {
  code(status: number): { send(body: object): unknown };
}

/** A handler may override them. A response that does not say it is public is personal. */
export const defaultHeaders: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
};

/** Headers that depend on the request. */
export function setRequestHeaders(request: Pick<Caller, 'id' | 'headers'>, head: AnswerHead): void {
  // Errors always name their trace id. Other responses echo only an id that the client sent: each header has a cost.
  if (request.headers['x-request-id'] !== undefined) head.header('x-request-id', request.id);
}
