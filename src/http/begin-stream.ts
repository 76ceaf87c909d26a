/** Turning the answer to a request into a stream of server-sent events, and hearing of its end. */
import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import { AppError } from './errors.ts';

/** A response that waits for another one's turn is not told when its connection breaks: it would stay here for ever. */
export function refusePipelined({ raw }: FastifyReply): void {
  if (raw.socket === null) throw new AppError('BAD_REQUEST', { message: 'A stream needs a connection of its own.' });
}

/** Sends the headers and takes the response over. */
export function beginStream(reply: FastifyReply): ServerResponse {
  const { raw } = reply;
  reply.headers({ 'content-type': 'text/event-stream', 'x-accel-buffering': 'no', connection: 'close' });
  reply.hijack();
  for (const [name, value] of Object.entries(reply.getHeaders())) raw.setHeader(name, value as string);
  // The body ends with the connection. Chunks would cost each frame two more pieces and tell the client nothing.
  raw.removeHeader('transfer-encoding');
  // A write to a connection that has just broken is not an error here; its close is handled.
  raw.on('error', () => {});
  raw.flushHeaders();
  return raw;
}

export function onClose(response: ServerResponse, then: () => void): void {
  if (response.destroyed) then();
  else response.once('close', then);
}
