/**
 * Sends one request on and its answer back, both as streams: nothing is held here but what is under way. Whoever hangs
 * up takes the other side with them.
 */
import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import { toVisitorHeaders } from '../upstream-headers.ts';
import type { Destination } from './destination.ts';

export interface Forwarded {
  method: string;
  path: string;
  headers: string[];
}

/** Why there is no answer of the site's. Told only while nothing has been sent to the visitor. */
export type Failure = 'UPSTREAM_UNREACHABLE' | 'UPSTREAM_TIMEOUT';

export interface ForwardOptions {
  destination: Destination;
  /** How long the site may take until it begins to answer. */
  timeoutMs: number;
  onFailure: (failure: Failure, error: Error) => void;
}

const UPLOAD_IDLE_MS = 60_000;
/** Long enough for a stream that has nothing to say but its heartbeats. */
const ANSWER_IDLE_MS = 300_000;
const SAFE_TO_REPEAT = ['GET', 'HEAD', 'OPTIONS'];

export function forward(
  visitor: IncomingMessage,
  answer: ServerResponse,
  sent: Forwarded,
  options: ForwardOptions,
): void {
  const hasBody = visitor.headers['transfer-encoding'] !== undefined || Number(visitor.headers['content-length']) > 0;
  const headers =
    visitor.headers['transfer-encoding'] === undefined
      ? sent.headers
      : [...sent.headers, 'transfer-encoding', 'chunked'];
  attempt(!hasBody && SAFE_TO_REPEAT.includes(sent.method) ? 1 : 0);

  function attempt(retriesLeft: number): void {
    const upstream = options.destination.open({ ...sent, headers });
    const timer = setTimeout(() => upstream.destroy(new SlowUpstreamError()), options.timeoutMs);
    const hangUp = () => upstream.destroy();
    answer.once('close', hangUp);
    upstream.once('response', (response) => {
      clearTimeout(timer);
      sendBack(response, answer);
    });
    upstream.once('upgrade', () => upstream.emit('error', new Error('the site changed the protocol unasked')));
    upstream.once('error', (error) => {
      clearTimeout(timer);
      upstream.destroy();
      answer.off('close', hangUp);
      if (answer.destroyed) return;
      if (answer.headersSent) answer.destroy();
      else if (retriesLeft > 0 && wasClosedBefore(upstream, error)) attempt(retriesLeft - 1);
      else options.onFailure(error instanceof SlowUpstreamError ? 'UPSTREAM_TIMEOUT' : 'UPSTREAM_UNREACHABLE', error);
    });
    if (hasBody) send(visitor, upstream);
    else upstream.end();
  }
}

class SlowUpstreamError extends Error {
  override readonly name = 'SlowUpstreamError';
}

/** Whoever stops in the middle of what they send, or of reading the answer, does not hold a connection for ever. */
function send(visitor: IncomingMessage, upstream: ClientRequest): void {
  visitor.setTimeout(UPLOAD_IDLE_MS, () => visitor.destroy());
  visitor.once('end', () => visitor.setTimeout(0));
  visitor.pipe(upstream);
}

function sendBack(response: IncomingMessage, answer: ServerResponse): void {
  if (answer.destroyed) return void response.destroy();
  answer.writeHead(response.statusCode!, response.statusMessage, toVisitorHeaders(response.rawHeaders));
  answer.setTimeout(ANSWER_IDLE_MS, () => answer.destroy());
  // An answer that was cut off must not look complete.
  response.once('error', () => answer.destroy());
  response.once('close', () => {
    if (!response.complete) answer.destroy();
  });
  response.pipe(answer);
  // The head goes out with the first of the body, unless that is far off, as in a stream of events.
  setImmediate(() => {
    if (!answer.writableEnded && !answer.destroyed) answer.flushHeaders();
  });
}

/** The site closed a kept connection just when it was used again: the request was never looked at. */
function wasClosedBefore(upstream: ClientRequest, error: NodeJS.ErrnoException): boolean {
  return upstream.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
}
