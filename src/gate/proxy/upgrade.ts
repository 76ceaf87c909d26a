/** Forwards a WebSocket: the upgrade request, then bytes in both directions until one side closes. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { RefusalAnswer } from '../decision/refusal-answer.ts';
import { toVisitorHeaders } from '../upstream-headers.ts';
import type { Failure, Forwarded, ForwardOptions } from './forward.ts';

export function isWebSocket({ headers, method }: IncomingMessage): boolean {
  return method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket';
}

export function forwardUpgrade(socket: Duplex, head: Buffer, sent: Forwarded, options: ForwardOptions): void {
  const upstream = options.destination.open({
    ...sent,
    headers: [...sent.headers, 'connection', 'Upgrade', 'upgrade', 'websocket'],
  });
  let isTooSlow = false;
  const timer = setTimeout(() => {
    isTooSlow = true;
    upstream.destroy();
  }, options.timeoutMs);
  const hangUp = () => upstream.destroy();
  socket.once('close', hangUp);
  upstream.once('upgrade', (response, site, siteHead) => {
    clearTimeout(timer);
    socket.off('close', hangUp);
    const headers = [...toVisitorHeaders(response.rawHeaders), 'Connection', 'Upgrade', 'Upgrade', 'websocket'];
    socket.write(toHead(101, 'Switching Protocols', headers));
    join(socket, site);
    if (siteHead.length > 0) socket.write(siteHead);
    if (head.length > 0) site.write(head);
  });
  // The site refused the upgrade: forward its response and close.
  upstream.once('response', (response) => {
    clearTimeout(timer);
    const headers = [...toVisitorHeaders(response.rawHeaders), 'Connection', 'close'];
    socket.write(toHead(response.statusCode!, response.statusMessage ?? '', headers));
    response.pipe(socket);
  });
  upstream.once('error', (error) => {
    clearTimeout(timer);
    const failure: Failure = isTooSlow ? 'UPSTREAM_TIMEOUT' : 'UPSTREAM_UNREACHABLE';
    if (!socket.destroyed) options.onFailure(failure, error);
  });
  upstream.end();
}

/** Writes a response to a socket that the HTTP server has handed over. */
export function writeAnswer(socket: Duplex, { status, headers, body }: RefusalAnswer): void {
  socket.end(`${toHead(status, '', [...Object.entries(headers).flat(), 'Connection', 'close'])}${body}`);
}

function join(visitor: Duplex, site: Duplex): void {
  for (const [one, other] of [
    [visitor, site],
    [site, visitor],
  ] as const) {
    one.on('error', () => other.destroy());
    one.on('close', () => other.destroy());
    one.pipe(other);
  }
}

function toHead(status: number, message: string, headers: string[]): string {
  const lines = [`HTTP/1.1 ${status} ${message}`];
  for (let at = 0; at + 1 < headers.length; at += 2) lines.push(`${headers[at]}: ${headers[at + 1]}`);
  return `${lines.join('\r\n')}\r\n\r\n`;
}
