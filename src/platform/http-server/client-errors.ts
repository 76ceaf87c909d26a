/**
 * Responds to what Node's HTTP parser refuses and to clients that are too slow. Such requests reach no handler; by default
 * Node responds without a body.
 */
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export type ClientErrorKind = 'malformed' | 'headers-too-large' | 'body-too-large' | 'too-slow';

export interface ClientErrorAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string;
}

const LINGER_MS = 1_000;
const KINDS: Readonly<Record<string, ClientErrorKind>> = {
  HPE_HEADER_OVERFLOW: 'headers-too-large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'body-too-large',
  ERR_HTTP_REQUEST_TIMEOUT: 'too-slow',
};

/** `toAnswer` gives the response, or undefined to close the connection without one. */
export function answerClientErrors(
  server: Server,
  toAnswer: (kind: ClientErrorKind) => ClientErrorAnswer | undefined,
): void {
  server.on('clientError', (error: Error & { code?: string }, stream) => {
    const socket = stream as Socket;
    const answer = canAnswer(socket, error) ? toAnswer(KINDS[error.code ?? ''] ?? 'malformed') : undefined;
    if (answer === undefined) socket.destroy();
    else endWith(socket, answer);
  });
}

/** Writes a complete response to a socket that no response uses, and closes it. */
export function endWith(socket: Pick<Socket, 'end' | 'destroy'>, { status, headers, body }: ClientErrorAnswer): void {
  const lines = Object.entries({ ...headers, connection: 'close' }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} \r\n${lines.join('')}\r\n${body}`);
  // Not at once, so that the client can read the response; and not never, if the client keeps its side open.
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

function canAnswer(socket: Socket, { code }: { code?: string }): boolean {
  if (code === 'ECONNRESET' || !socket.writable) return false;
  // Node's own handler looks here too. A response that has begun must not be followed by another in its place.
  const current = (socket as { _httpMessage?: ServerResponse | null })._httpMessage;
  return current === undefined || current === null || !current.headersSent;
}
