/**
 * Does the work for a request as part of a trace. The gate knows no routes, and addresses are none of a collector's
 * business, so that its spans have the method alone for a name.
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
  // Whoever hangs up before there is an answer has had none.
  response.once('close', () => trace.end({ status: response.headersSent ? response.statusCode : undefined }));
  trace.enter(work);
}
