/**
 * Runs the work for a request inside a span. The span is named by the method alone: the gate has no route patterns, and
 * full paths do not belong in traces.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Tracing } from '../../platform/tracing/tracing.ts';

export function traceRequest(
  tracing: Pick<Tracing, 'beginRequest'> | undefined,
  { method = '', headers }: IncomingMessage,
  response: ServerResponse,
  work: () => void,
): void {
  if (tracing === undefined) {
    work();
    return;
  }
  const trace = tracing.beginRequest({ method, headers });
  // A visitor who disconnects early got no status.
  response.once('close', () => trace.end({ status: response.headersSent ? response.statusCode : undefined }));
  trace.enter(work);
}
