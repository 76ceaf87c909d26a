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
import { defaultHeaders, documentHeaders, HSTS_HEADER } from '../http-server/response-policy.ts';

/** Returns whether the response was sent. If not, it is untouched. */
export type SendRaw = (
  response: ServerResponse,
  cacheControl: string,
  body: string,
  bytes: number,
  hsts?: string | undefined,
  /** Names, in lower case, and values of further headers, in turn. */
  fields?: readonly (string | number)[] | undefined,
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
  let shared = { data: '', nothing: '' };

  /** The part of the head that all responses of one second share, with a body and without. */
  function startOf(now: number): typeof shared {
    if (now !== second) {
      second = now;
      const start =
        'HTTP/1.1 200 OK\r\n' +
        `Date: ${new Date(now * 1000).toUTCString()}\r\n` +
        'Connection: keep-alive\r\n' +
        `Keep-Alive: timeout=${Math.floor(server.keepAliveTimeout / 1000)}\r\n`;
      shared = {
        data: `${start}content-type: application/json; charset=utf-8\r\n${FIXED_HEADERS}cache-control: `,
        nothing: `${start}${FIXED_HEADERS}${DOCUMENT_HEADERS}cache-control: `,
      };
    }
    return shared;
  }

  return (response, cacheControl, body, bytes, hsts, fields) => {
    if (!response.shouldKeepAlive) return false;
    const more = fields === undefined ? '' : linesOf(fields);
    if (more === undefined) return false;
    const tls = hsts === undefined ? '' : `${HSTS_HEADER}: ${hsts}\r\n`;
    const { data, nothing } = startOf(Math.floor(Date.now() / 1000));
    const start = bytes > 0 ? data : nothing;
    const head = `${start + cacheControl}\r\n${tls}${more}content-length: ${bytes}\r\n\r\n`;
    endRaw(response, head + (bytes === body.length ? body : toLatin1(body)));
    return true;
  };
}

const { 'cache-control': _, ...fixedHeaders } = defaultHeaders;
const FIXED_HEADERS = toLines(fixedHeaders);
const DOCUMENT_HEADERS = toLines(documentHeaders);
/** A header that replaces one of these is for Node to write. */
const WRITTEN = new Set([
  'connection',
  'content-type',
  'content-length',
  'date',
  'keep-alive',
  'transfer-encoding',
  ...Object.keys(fixedHeaders),
  ...Object.keys(documentHeaders),
]);
/** A line break in a value would start another header. */
const SAFE_VALUE = /^[\x20-\x7e]*$/;

function toLines(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
}

/** undefined: Node must write them, or refuse to. */
function linesOf(fields: readonly (string | number)[]): string | undefined {
  let lines = '';
  for (let i = 0; i < fields.length; i += 2) {
    const [name, value] = [fields[i] as string, String(fields[i + 1])];
    if (WRITTEN.has(name) || !SAFE_VALUE.test(value)) return undefined;
    lines += `${name}: ${value}\r\n`;
  }
  return lines;
}

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
