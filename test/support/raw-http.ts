/** A client on a bare socket, for requests that no HTTP client would send. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { until } from './until.ts';

export interface RawResponse {
  status: number;
  /** By lower-case name; the last one of several. */
  headers: Record<string, string>;
  body: string;
  // biome-ignore lint/suspicious/noExplicitAny: any response body.
  json: any;
}

export interface RawConnection {
  socket: Socket;
  /** Bytes are written as Latin-1. */
  write(text: string): void;
  /** All complete responses so far. A response without content-length ends with the connection. */
  responses(): RawResponse[];
  received(): string;
  /** The first response, once it is complete. */
  first(): Promise<RawResponse>;
}

/** `from`: the local address, such as 127.0.0.7, so that the server sees another visitor. */
export function openRaw(url: string, { from }: { from?: string } = {}): RawConnection {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), ...(from === undefined ? {} : { localAddress: from }) });
  socket.setEncoding('latin1');
  let received = '';
  let hasEnded = false;
  socket.on('data', (chunk) => (received += chunk));
  socket.on('error', () => {});
  socket.on('close', () => (hasEnded = true));
  onTestFinished(() => {
    socket.destroy();
  });
  const responses = () => parseResponses(received, hasEnded);
  return {
    socket,
    write: (text) => void socket.write(text, 'latin1'),
    responses,
    received: () => received,
    first: () =>
      until('a response', () => {
        if (hasEnded && responses().length === 0) throw new Error(`closed without a response: "${received}"`);
        return responses()[0];
      }),
  };
}

/** Sends one request on a connection of its own. */
export async function sendRaw(url: string, text: string, options: { from?: string } = {}): Promise<RawResponse> {
  const connection = openRaw(url, options);
  connection.write(text);
  const response = await connection.first();
  connection.socket.destroy();
  return response;
}

/** Everything received until the server closes the connection. */
export async function sendRawUntilClose(url: string, text: string): Promise<string> {
  const connection = openRaw(url);
  connection.write(text);
  await once(connection.socket, 'close');
  return connection.received();
}

/** A request from its request line, header lines and body. */
export function toRequest(line: string, headers: readonly string[], body = ''): string {
  return `${[`${line} HTTP/1.1`, ...headers].join('\r\n')}\r\n\r\n${body}`;
}

function parseResponses(text: string, hasEnded: boolean): RawResponse[] {
  const found: RawResponse[] = [];
  for (let at = 0; at < text.length; ) {
    const headEnd = text.indexOf('\r\n\r\n', at);
    if (headEnd === -1) break;
    const [line = '', ...lines] = text.slice(at, headEnd).split('\r\n');
    const headers = Object.fromEntries(lines.map(toField));
    const bodyAt = headEnd + 4;
    const status = Number(line.split(' ')[1]);
    const length = headers['content-length'] ?? (status < 200 ? '0' : undefined);
    if (length === undefined && !hasEnded) break;
    const end = length === undefined ? text.length : bodyAt + Number(length);
    if (end > text.length) break;
    if (status >= 200) found.push(toResponse(status, headers, text.slice(bodyAt, end)));
    at = end;
  }
  return found;
}

function toField(line: string): [string, string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
}

function toResponse(status: number, headers: Record<string, string>, body: string): RawResponse {
  const isJson = headers['content-type']?.includes('json') ?? false;
  return { status, headers, body, json: isJson && body !== '' ? JSON.parse(body) : undefined };
}
