/** The site's response as the visitor gets it. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createEndRaw } from '../../platform/fast-http/raw-response.ts';
import type { ResponseHead } from '../../platform/http-client/response-parser.ts';
import { toVisitorHeaders } from '../upstream-headers.ts';

const REASON_PHRASE = /^[\t\x20-\x7e]*$/;
const endRaw = createEndRaw();
/** How long an idle connection of a visitor is kept. */
export const KEEP_ALIVE_MS = 75_000;
/** As Node writes it. */
const KEEP_ALIVE = `Connection: keep-alive\r\nKeep-Alive: timeout=${KEEP_ALIVE_MS / 1000}\r\n`;

/** `message`: empty if it could not be sent as it is. */
export function toVisitorHead({ headers, message }: ResponseHead): { headers: string[]; message: string } {
  return { headers: toVisitorHeaders(headers), message: REASON_PHRASE.test(message) ? message : '' };
}

/**
 * Sends a response whose body is complete in one write, without Node's handling of each header. False if it must be written in the ordinary way; then it is untouched. `body` has one byte per
 * character.
 */
export function sendWhole(
  visitor: IncomingMessage,
  response: ServerResponse,
  head: ResponseHead,
  body: string,
): boolean {
  if (endRaw === undefined || !response.shouldKeepAlive || visitor.httpVersion !== '1.1') return false;
  const { headers, message } = toVisitorHead(head);
  let text = `HTTP/1.1 ${head.status} ${message}\r\n`;
  let hasDate = false;
  let hasLength = false;
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at]!;
    text += `${name}: ${headers[at + 1]}\r\n`;
    if (name.length === 4 && name.toLowerCase() === 'date') hasDate = true;
    else if (name.length === 14 && name.toLowerCase() === 'content-length') hasLength = true;
  }
  if (!hasDate) text += `Date: ${new Date().toUTCString()}\r\n`;
  // The response may have been chunked, or have ended with its connection.
  if (!hasLength && mayHaveBody(visitor, head)) text += `content-length: ${body.length}\r\n`;
  response.statusCode = head.status;
  endRaw(response, `${text}${KEEP_ALIVE}\r\n${body}`);
  return true;
}

function mayHaveBody({ method }: IncomingMessage, { status }: ResponseHead): boolean {
  return method !== 'HEAD' && status !== 204 && status !== 304;
}
