/**
 * The gate as a function of request, response and next, as Express has it, and Fastify by its raw request. By shape
 * alone: it imports neither of them, and nothing of Node's.
 */
import type { Headers } from '../judge-entry.ts';
import { toAnswer } from '../refusal-answer.ts';
import { createEdgeGate, type EdgeGateOptions } from './edge-gate.ts';

export interface GatedRequest {
  method?: string | undefined;
  url?: string | undefined;
  /** Where a framework has cut off what it was mounted at. */
  originalUrl?: string | undefined;
  headers: Headers;
  /** Set by the gate where a rule asked for a token, and taken away where none did. */
  admitted?: AdmittedVisitor | undefined;
}

export interface AdmittedVisitor {
  /** The event that the tokens are for. A route whose body names an event must compare. */
  eventId: string | undefined;
  visitor: string | undefined;
}

export interface RefusedResponse {
  writeHead(status: number, headers: Record<string, string>): unknown;
  end(body?: string): unknown;
}

export type Middleware = (
  request: GatedRequest,
  response: RefusedResponse,
  next: (error?: Error) => void,
) => Promise<void>;

export function createMiddleware(options: EdgeGateOptions): Middleware {
  const gate = createEdgeGate(options);
  return async (request, response, next) => {
    const { method = 'GET', headers } = request;
    const target = request.originalUrl ?? request.url ?? '';
    let decision: Awaited<ReturnType<typeof gate>>;
    try {
      decision = await gate({ method, target, headers });
    } catch (error) {
      next(error as Error);
      return;
    }
    if (decision.outcome === 'pass') {
      const { require, eventId, visitor } = decision;
      request.admitted = require === 'none' ? undefined : { eventId, visitor };
      next();
      return;
    }
    const { status, headers: answered, body } = toAnswer(decision);
    response.writeHead(status, answered);
    response.end(method === 'HEAD' ? '' : body);
  };
}
