/**
 * Answers what Node refuses before there is a request: bytes that are not HTTP, headers that are too large, a request
 * that takes too long. The response has the shape of every other error.
 */
import { randomBytes } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { defaultHeaders, documentHeaders } from './response-policy.ts';

interface ClientError {
  status: number;
  code: string;
  message: string;
}

const TOO_LATE: ClientError = {
  status: 408,
  code: 'REQUEST_TIMEOUT',
  message: 'The request did not arrive in time. Send it again.',
};
const MALFORMED: ClientError = { status: 400, code: 'BAD_REQUEST', message: 'The request is malformed.' };

const errors: Readonly<Record<string, ClientError>> = {
  ERR_HTTP_REQUEST_TIMEOUT: TOO_LATE,
  HPE_HEADER_OVERFLOW: {
    status: 431,
    code: 'HEADERS_TOO_LARGE',
    message: 'The request headers exceed 16 KB. Remove cookies or shorten the URL.',
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: 413,
    code: 'BODY_TOO_LARGE',
    message: 'The chunk extensions of the request body exceed the limit.',
  },
};

/** For the event `clientError` of an HTTP server. Ends the connection. */
export function answerClientError(error: Error & { code?: string }, socket: Duplex): void {
  if (error.code !== 'ECONNRESET' && socket.writable && !hasBegunAnswer(socket)) {
    socket.write(toResponse(errors[error.code ?? ''] ?? MALFORMED));
  }
  socket.destroy();
}

/** Node keeps the response in progress on the socket. Bytes written after its head would end up in its body. */
function hasBegunAnswer(socket: Duplex): boolean {
  return (socket as { _httpMessage?: { headersSent?: boolean } })._httpMessage?.headersSent === true;
}

function toResponse({ status, code, message }: ClientError): string {
  const traceId = randomBytes(9).toString('base64url');
  const body = JSON.stringify({ error: { code, message, trace_id: traceId } });
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    ...defaultHeaders,
    ...documentHeaders,
    'x-request-id': traceId,
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`;
}
