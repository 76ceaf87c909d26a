/**
 * Answers of 200 as one text, head and body. Node puts each together anew, header by header, and writes it in two parts;
 * of what a poll costs that is a sixth. Everything else about the answer, its turn on the connection and its end, stays
 * with Node.
 *
 * The text is handed over as the head that Node has made, by a field that it does not promise to keep. Whether it still
 * goes by that field is tried at the start; where it does not, answers are written the plain way.
 */
import { IncomingMessage, type Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { PassThrough } from 'node:stream';

export interface RawResponses {
  /** Whether the answer was sent; what cannot be sent whole is left as it was. */
  send(response: ServerResponse, cacheControl: string, body: string, bytes: number): boolean;
}

export function createRawResponses(server: Server): RawResponses {
  if (!acceptsRaw()) return { send: () => false };
  let second = 0;
  let start = '';

  /** What all answers of one second have in common. */
  function startOf(now: number): string {
    if (now !== second) {
      second = now;
      start =
        'HTTP/1.1 200 OK\r\n' +
        `Date: ${new Date(now * 1000).toUTCString()}\r\n` +
        'Connection: keep-alive\r\n' +
        `Keep-Alive: timeout=${Math.floor(server.keepAliveTimeout / 1000)}\r\n` +
        'content-type: application/json; charset=utf-8\r\n' +
        'x-content-type-options: nosniff\r\n' +
        'cache-control: ';
    }
    return start;
  }

  return {
    send(response, cacheControl, body, bytes) {
      if (!response.shouldKeepAlive) return false;
      const head = `${startOf(Math.floor(Date.now() / 1000)) + cacheControl}\r\ncontent-length: ${bytes}\r\n\r\n`;
      sendRaw(response, head + (bytes === body.length ? body : toOneByteText(body)));
      return true;
    },
  };
}

/** A head is written byte by byte, a character each. */
function toOneByteText(text: string): string {
  return Buffer.from(text).toString('latin1');
}

function sendRaw(response: ServerResponse, text: string): void {
  (response as unknown as { _header: string })._header = text;
  response.end();
}

function acceptsRaw(): boolean {
  const wire = new PassThrough();
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  response.assignSocket(wire as unknown as Socket);
  sendRaw(response, 'all of it');
  return wire.read()?.toString() === 'all of it';
}
