/**
 * Sends a response of 200 as one string, head and body together. Node builds the head header by header for each
 * response and writes it in two parts. Order on the connection and its end are still Node's.
 *
 * The string is handed over in `_header`, the private field in which Node keeps the head it has built. Whether Node
 * still uses that field is tried once at the start; if not, responses are written the ordinary way.
 */
import { IncomingMessage, type Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { defaultHeaders, HSTS_HEADER } from '../http-server/response-policy.ts';

/** Returns whether the response was sent. If not, it is untouched. */
export type SendRaw = (
  response: ServerResponse,
  cacheControl: string,
  body: string,
  bytes: number,
  hsts?: string | undefined,
) => boolean;

/** Ends a response with these bytes, head and body, one per character. */
export type EndRaw = (response: ServerResponse, text: string) => void;

/** undefined if this version of Node does not allow it. */
export function createEndRaw(): EndRaw | undefined {
  return acceptsRawHead() ? endRaw : undefined;
}

export function createSendRaw(server: Server): SendRaw {
  if (!acceptsRawHead()) return () => false;
  let second = 0;
  let shared = '';

  /** The part of the head that all responses of one second share. */
  function startOf(now: number): string {
    if (now !== second) {
      second = now;
      shared =
        'HTTP/1.1 200 OK\r\n' +
        `Date: ${new Date(now * 1000).toUTCString()}\r\n` +
        'Connection: keep-alive\r\n' +
        `Keep-Alive: timeout=${Math.floor(server.keepAliveTimeout / 1000)}\r\n` +
        'content-type: application/json; charset=utf-8\r\n' +
        FIXED_HEADERS +
        'cache-control: ';
    }
    return shared;
  }

  return (response, cacheControl, body, bytes, hsts) => {
    if (!response.shouldKeepAlive) return false;
    const tls = hsts === undefined ? '' : `${HSTS_HEADER}: ${hsts}\r\n`;
    const start = startOf(Math.floor(Date.now() / 1000));
    const head = `${start + cacheControl}\r\n${tls}content-length: ${bytes}\r\n\r\n`;
    endRaw(response, head + (bytes === body.length ? body : toLatin1(body)));
    return true;
  };
}

const FIXED_HEADERS = Object.entries(defaultHeaders)
  .filter(([name]) => name !== 'cache-control')
  .map(([name, value]) => `${name}: ${value}\r\n`)
  .join('');

/** Node writes a head as latin1, one byte per character. */
function toLatin1(text: string): string {
  return Buffer.from(text).toString('latin1');
}

function endRaw(response: ServerResponse, text: string): void {
  (response as unknown as { _header: string })._header = text;
  response.end();
}

function acceptsRawHead(): boolean {
  const wire = new PassThrough();
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  response.assignSocket(wire as unknown as Socket);
  endRaw(response, 'head and body');
  return wire.read()?.toString() === 'head and body';
}
