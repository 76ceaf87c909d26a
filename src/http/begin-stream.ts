/** Turns a response into a stream of server-sent events. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import { AppError } from './errors.ts';

/** A pipelined response gets no `close` event when its connection breaks, so its stream would leak. */
export function refusePipelined({ raw }: FastifyReply): void {
  if (raw.socket === null)
    throw new AppError('BAD_REQUEST', { message: 'A stream cannot be pipelined. Open a new connection for it.' });
}

/** Sends the headers; from then on the caller writes to the raw response. The request has no headers any more. */
export function beginStream(reply: FastifyReply): ServerResponse {
  const { raw } = reply;
  reply.headers({ 'content-type': 'text/event-stream', 'x-accel-buffering': 'no', connection: 'close' });
  reply.hijack();
  // The body ends with the connection. Chunked encoding would add two pieces to each frame and no information.
  raw.removeHeader('transfer-encoding');
  // As a list: headers that are set one by one are kept as long as the stream is open, some 2 KB.
  raw.writeHead(200, toHeaderList(reply.getHeaders()));
  // Writing to a connection that just broke is not an error: onClose handles the end.
  raw.on('error', ignore);
  raw.flushHeaders();
  forgetHeaders(raw.req);
  return raw;
}

/** Names and values in turn; a name with several values comes several times. */
function toHeaderList(headers: ReturnType<FastifyReply['getHeaders']>): string[] {
  return Object.entries(headers).flatMap(([name, value]) => [value].flat().flatMap((one) => [name, String(one)]));
}

/** Node keeps the request until its response ends. Nobody reads its headers any more; those of a browser are 1 KB. */
function forgetHeaders(request: IncomingMessage): void {
  request.rawHeaders = NO_HEADERS;
  request.headers = NO_FIELDS;
}

const NO_HEADERS: string[] = [];
const NO_FIELDS: IncomingMessage['headers'] = {};

function ignore(): void {}

export function onClose(response: ServerResponse, then: () => void): void {
  if (response.destroyed) then();
  else response.once('close', then);
}
