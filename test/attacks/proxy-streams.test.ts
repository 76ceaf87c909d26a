/** Open streams must not take what polls and pages need. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { ask, runGate } from '../gate/proxy/run-gate.ts';
import { freePort } from '../support/free-port.ts';
import { openRaw, type RawConnection, sendRaw, toRequest } from '../support/raw-http.ts';
import { startSite } from '../support/site.ts';
import { until } from '../support/until.ts';

const WAITING = '/events/concert/tickets/waiting';
/** More than the short requests that a gate has in progress at one upstream. */
const MANY = 1_100;
const EVENT_SOURCE = ['Host: shop.example', 'Accept: text/event-stream'];

function stream(request: IncomingMessage, response: ServerResponse): void {
  if (request.url === WAITING || request.url === '/live') {
    response.writeHead(200, { 'content-type': 'Text/Event-Stream; charset=utf-8', connection: 'close' });
    response.write('data: 1\n\n');
  } else response.end('{}');
}

async function startAll(env: Record<string, string>) {
  const [site, line, statusPort] = [await startSite(stream), await startSite(stream), await freePort()];
  const { url } = await runGate({
    GATE_UPSTREAM: site.url,
    GATE_LINE_URL: line.url,
    GATE_STATUS_PORT: String(statusPort),
    LIMIT_GATE_REQUESTS_PER_IP: '0',
    LIMIT_GATE_CONNECTIONS_PER_IP: '0',
    ...env,
  });
  const metrics = async () => await (await fetch(`http://127.0.0.1:${statusPort}/metrics`)).text();
  return { url, site, line, metrics };
}

function openStream(url: string, path: string, headers = EVENT_SOURCE): RawConnection {
  const connection = openRaw(url);
  connection.write(toRequest(`GET ${path}`, headers));
  return connection;
}

const isOpen = (connection: RawConnection) => connection.received().includes('data: 1');

describe('streams', () => {
  it.each([
    ['the line', WAITING],
    ['the site', '/live'],
  ])(`of ${MANY} waiting pages leave room for polls and pages (%s)`, async (_whose, path) => {
    const { url } = await startAll({});
    const streams: RawConnection[] = [];
    for (let i = 0; i < MANY; i += 100) {
      streams.push(...Array.from({ length: 100 }, () => openStream(url, path)));
      await until('the streams to open', () => streams.every(isOpen));
    }
    for (const honest of ['/api/queue/status/concert', '/']) expect((await ask(url, honest)).status).toBe(200);
    expect(streams.every(({ socket }) => !socket.destroyed)).toBe(true);
  });

  it.each([
    ['an EventSource', WAITING, EVENT_SOURCE],
    ['a client that does not say what it accepts', WAITING, ['Host: shop.example']],
    ['a client of the site', '/live', ['Host: shop.example']],
  ])('beyond GATE_STREAMS get 503 with Retry-After, counted: %s', async (_who, path, headers) => {
    const { url, metrics } = await startAll({ GATE_STREAMS: '5' });
    const streams = Array.from({ length: 5 }, () => openStream(url, path));
    await until('the streams to open', () => streams.every(isOpen));
    const refused = await sendRaw(url, toRequest(`GET ${path}`, headers));
    expect([refused.status, refused.json.error.code, refused.headers['retry-after']]).toEqual([503, 'GATE_BUSY', '10']);
    expect((await ask(url, '/api/queue/status/concert')).status).toBe(200);
    const text = await metrics();
    expect(text).toContain('fairline_gate_refused_total{reason="streams"} 1');
    const upstream = path === WAITING ? 'line' : 'site';
    expect(text).toContain(`fairline_gate_upstream_connections{upstream="${upstream}",occupation="stream"} 5`);
    // The line and the site have room of their own.
    const other = openStream(url, path === WAITING ? '/live' : WAITING);
    await until('a stream of the other', () => isOpen(other));
    // A page that leaves makes room.
    streams[0]!.socket.destroy();
    const next = await until('room', async () => {
      const opened = openStream(url, path);
      await until('a response', () => opened.received() !== '');
      return opened.received().includes(' 200 ') && opened;
    });
    expect(next.received()).toContain('200');
  });

  it('include WebSockets', async () => {
    const { url, site } = await startAll({ GATE_STREAMS: '1' });
    site.server.on('upgrade', (_request, socket) => {
      socket.on('error', () => {});
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    });
    const upgrade = toRequest('GET /', ['Host: shop.example', 'Connection: Upgrade', 'Upgrade: websocket']);
    const first = openRaw(url);
    first.write(upgrade);
    await until('the first', () => first.received().startsWith('HTTP/1.1 101'));
    expect((await sendRaw(url, upgrade)).status).toBe(503);
    first.socket.destroy();
    await until('room', async () => {
      const next = openRaw(url);
      next.write(upgrade);
      await until('a response', () => next.received() !== '');
      return next.received().startsWith('HTTP/1.1 101');
    });
  });

  it('of WebSockets do not delay a stop beyond its timeout', async () => {
    const { url, site } = await startAll({});
    site.server.on('upgrade', (_request, socket) => {
      socket.on('error', () => {});
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    });
    const open = openRaw(url);
    open.write(toRequest('GET /', ['Host: shop.example', 'Connection: Upgrade', 'Upgrade: websocket']));
    // runGate stops the gate when the test ends, with a timeout of 0.
    await until('the upgrade', () => open.received().startsWith('HTTP/1.1 101'));
  });

  it('include a response that a visitor does not read', async () => {
    const { site, url, metrics } = await startAll({});
    site.server.removeAllListeners('request');
    site.server.on('request', (_request, response) => response.end(Buffer.alloc(64 * 1024 * 1024)));
    const slow = openRaw(url);
    slow.socket.pause();
    slow.write(toRequest('GET /large', ['Host: shop.example']));
    const count = async (occupation: string) => {
      const line = `fairline_gate_upstream_connections{upstream="site",occupation="${occupation}"} `;
      return (await metrics()).split(line)[1]?.split('\n')[0];
    };
    await until('the response to begin', async () => (await count('request')) === '1');
    await until('it to count as a stream', async () => (await count('stream')) === '1');
    expect(await count('request')).toBe('0');
    slow.socket.destroy();
    await until('it to end', async () => (await count('stream')) === '0');
  });
});
