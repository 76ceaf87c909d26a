/**
 * The gate as a (request, response, next) middleware for Express, or for Fastify's raw request. Typed structurally: it
 * imports neither framework and no Node APIs.
 */
import type { Decision } from '../decision/decision.ts';
import type { Headers } from '../decision/gate-request.ts';
import { isForLine } from '../decision/line-paths.ts';
import { type AdmittedVisitor, toAdmitted } from '../decision/pass-headers.ts';
import { type RefusalAnswer, toAnswer, toErrorAnswer } from '../decision/refusal-answer.ts';
import { hasManyHosts, MANY_HOSTS, setPassHeaders } from '../in-process-headers.ts';
import { toAnswerHeaders } from '../sessions/answer-headers.ts';
import { watchResponse } from '../watch-response.ts';
import { createEdgeGuard, type EdgeGateOptions } from './edge-gate.ts';
import { type ForwardedRequest, type ForwardedResponse, forwardToLine } from './forward-to-line.ts';

export interface GatedRequest extends ForwardedRequest {
  url?: string | undefined;
  /** The full path, if the framework strips the mount path from `url`. */
  originalUrl?: string | undefined;
  /** The gate sets X-Fairline-Event and X-Fairline-Visitor, and removes what a visitor sent in their place. */
  headers: Headers;
  rawHeaders?: string[] | undefined;
  /** The client's address as the framework knows it; Express applies its setting `trust proxy`. */
  ip?: string | undefined;
  /** Express has it. */
  protocol?: string;
  /** `encrypted`: a TLS socket. */
  socket?: { remoteAddress?: string | undefined; encrypted?: boolean } | undefined;
  /** Set by the gate if a token was required, removed otherwise. */
  admitted?: AdmittedVisitor | undefined;
}

export interface RefusedResponse extends ForwardedResponse {
  writeHead(status: number, headers: Record<string, string>): unknown;
  appendHeader(name: string, value: string): unknown;
  getHeaders?(): object;
  removeHeader?(name: string): unknown;
  end(body?: string): unknown;
}

export type Middleware = (
  request: GatedRequest,
  response: RefusedResponse,
  next: (error?: Error) => void,
) => Promise<void>;

export function createMiddleware(options: EdgeGateOptions): Middleware {
  const guard = createEdgeGuard(options);
  const { lineUrl, fetch: send = fetch } = options;
  return async (request, response, next) => {
    const { method = 'GET', headers } = request;
    const target = request.originalUrl ?? request.url ?? '';
    const refuse = ({ status, headers: answered, body }: RefusalAnswer) => {
      response.writeHead(status, answered);
      response.end(method === 'HEAD' ? '' : body);
    };
    if (hasManyHosts(request)) return refuse(toErrorAnswer(400, 'BAD_REQUEST', { message: MANY_HOSTS }));
    let decision: Decision;
    try {
      const address = request.ip ?? request.socket?.remoteAddress;
      decision = await guard.decide({ method, target, headers, address, isSecure: () => isSecure(request) });
    } catch (error) {
      next(error as Error);
      return;
    }
    if (decision.outcome !== 'pass') return refuse(toAnswer(decision));
    if (lineUrl !== undefined && isForLine(decision.target)) {
      return forwardToLine(request, response, { lineUrl, target: decision.target, fetch: send });
    }
    const pass = decision;
    const passedAt = performance.now();
    watchResponse(response, (head) => {
      guard.observe(pass, { ...head, durationMs: performance.now() - passedAt });
      return toAnswerHeaders(pass, head.endsSession);
    });
    request.admitted = toAdmitted(decision);
    setPassHeaders(request, decision);
    next();
  };
}

/** The proxy in front says it, or the socket. A visitor who claims it changes the flag of their own cookie only. */
function isSecure({ protocol, headers, socket }: GatedRequest): boolean {
  const claimed = String(headers['x-forwarded-proto'] ?? '')
    .split(',')
    .at(-1)!;
  return protocol === 'https' || claimed.trim() === 'https' || socket?.encrypted === true;
}
