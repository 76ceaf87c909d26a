/** Forwards a WebSocket: the upgrade request, then bytes in both directions until one side closes. */
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { toVisitorHeaders } from '../upstream-headers.ts';
import { FullError } from './destination.ts';
import { toFailure } from './failures.ts';
import type { Forwarded, ForwardOptions } from './forward.ts';
import { hasBody, SlowUpstreamError } from './upload.ts';

const LINGER_MS = 1_000;
const KEEP_ALIVE_MS = 60_000;

/** A WebSocket handshake. One with a body is none: the site could take the body for the next request. */
export function isWebSocket(request: IncomingMessage): boolean {
  return request.method === 'GET' && request.headers.upgrade?.toLowerCase() === 'websocket' && !hasBody(request);
}

type UpgradeOptions = Pick<ForwardOptions, 'destination' | 'timeoutMs' | 'onFailure'>;

export function forwardUpgrade(socket: Duplex, head: Buffer, sent: Forwarded, options: UpgradeOptions): void {
  const upstream = open(sent, options);
  if (upstream === undefined) return;
  const timer = setTimeout(() => upstream.destroy(new SlowUpstreamError('no response in time')), options.timeoutMs);
  const hangUp = () => upstream.destroy();
  socket.once('close', hangUp);
  upstream.once('upgrade', (response, site, siteHead) => {
    clearTimeout(timer);
    socket.off('close', hangUp);
    if (response.headers.upgrade?.toLowerCase() !== 'websocket') {
      site.destroy();
      options.onFailure('UPSTREAM_UNREACHABLE', new Error('the site switched to another protocol'));
      return;
    }
    const headers = [...toVisitorHeaders(response.rawHeaders), 'Connection', 'Upgrade', 'Upgrade', 'websocket'];
    socket.write(toHead(101, 'Switching Protocols', headers), 'latin1');
    join(socket, site);
    if (siteHead.length > 0) socket.write(siteHead);
    if (head.length > 0) site.write(head);
  });
  // The site refused the upgrade: forward its response and close.
  upstream.once('response', (response) => {
    clearTimeout(timer);
    const headers = [...toVisitorHeaders(response.rawHeaders), 'Connection', 'close'];
    socket.write(toHead(response.statusCode!, response.statusMessage ?? '', headers), 'latin1');
    response.pipe(socket);
  });
  upstream.once('error', (error) => {
    clearTimeout(timer);
    if (!socket.destroyed) options.onFailure(toFailure(error), error);
  });
  upstream.end();
}

/** undefined: failed, and reported. */
function open(sent: Forwarded, { destination, onFailure }: UpgradeOptions): ClientRequest | undefined {
  try {
    const headers = [...sent.headers, 'connection', 'Upgrade', 'upgrade', 'websocket'];
    return destination.open({ ...sent, headers });
  } catch (error) {
    // Node's client throws what it refuses to send.
    onFailure(error instanceof FullError ? 'GATE_BUSY' : 'BAD_REQUEST', error as Error);
    return undefined;
  }
}

function join(visitor: Duplex, site: Duplex): void {
  for (const [one, other] of [
    [visitor, site],
    [site, visitor],
  ] as const) {
    one.on('error', () => other.destroy());
    one.on('close', () => other.destroy());
    // A side that has ended cannot get the rest of a WebSocket, but its last frame may still be on the way.
    one.once('end', () => setTimeout(() => other.destroy(), LINGER_MS).unref());
    // Finds a peer that vanished. WebSockets may be silent for hours.
    (one as Socket).setKeepAlive(true, KEEP_ALIVE_MS);
    one.pipe(other);
  }
}

function toHead(status: number, message: string, headers: string[]): string {
  const lines = [`HTTP/1.1 ${status} ${message}`];
  for (let at = 0; at + 1 < headers.length; at += 2) lines.push(`${headers[at]}: ${headers[at + 1]}`);
  return `${lines.join('\r\n')}\r\n\r\n`;
}
