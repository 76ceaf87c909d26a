/** Turns a response into a stream of server-sent events. */
import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import { AppError } from './errors.ts';

/** A pipelined response gets no `close` event when its connection breaks, so its stream would leak. */
export function refusePipelined({ raw }: FastifyReply): void {
  if (raw.socket === null)
    throw new AppError('BAD_REQUEST', { message: 'A stream cannot be pipelined. Open a new connection for it.' });
}

/** Sends the headers; from then on the caller writes to the raw response. */
export function beginStream(reply: FastifyReply): ServerResponse {
  const { raw } = reply;
  reply.headers({ 'content-type': 'text/event-stream', 'x-accel-buffering': 'no', connection: 'close' });
  reply.hijack();
  for (const [name, value] of Object.entries(reply.getHeaders())) raw.setHeader(name, value as string);
  // The body ends with the connection. Chunked encoding would add two pieces to each frame and no information.
  raw.removeHeader('transfer-encoding');
  // Writing to a connection that just broke is not an error: onClose handles the end.
  raw.on('error', () => {});
  raw.flushHeaders();
  return raw;
}

export function onClose(response: ServerResponse, then: () => void): void {
  if (response.destroyed) then();
  else response.once('close', then);
}
