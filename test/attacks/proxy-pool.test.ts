/** Requests that the HTTP client refuses, sent to the connections of the gate without the checks before them. */
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  createDestination,
  type Destination,
  REQUESTS_AT_MOST,
  UPLOADS_AT_MOST,
} from '../../src/gate/proxy/destination.ts';
import type { ResponseHandler } from '../../src/gate/proxy/exchange.ts';
import { findFlaw } from '../../src/gate/proxy/request-flaws.ts';
import type { UpstreamRequest } from '../../src/gate/proxy/upstream-connection.ts';
import { toUpstreamHeaders } from '../../src/gate/upstream-headers.ts';
import { startSite } from '../support/site.ts';
import { until } from '../support/until.ts';

type Sent = Omit<UpstreamRequest, 'body'>;
type Outcome = { status: number } | { error: Error & { code?: string } };

const capacity = { request: REQUESTS_AT_MOST, upload: UPLOADS_AT_MOST, stream: 10 };
const origin = { address: '127.0.0.1', isTrusted: false, isVerifiedByCdn: false };
const GOOD: Sent = { path: '/', method: 'GET', headers: ['host', 'shop.example'] };
const HOST = ['host', 'shop.example'];

/** One of each kind that the HTTP client refuses. */
const refused: [string, Sent][] = [
  ['two Host headers', { ...GOOD, headers: [...HOST, ...HOST] }],
  ['two Content-Length headers', { ...GOOD, headers: ['content-length', '1', 'content-length', '1'] }],
  ['a bad Content-Length', { ...GOOD, headers: ['content-length', '1x'] }],
  ['Transfer-Encoding', { ...GOOD, headers: ['transfer-encoding', 'chunked'] }],
  ['Keep-Alive', { ...GOOD, headers: ['keep-alive', '5'] }],
  ['Upgrade', { ...GOOD, headers: ['upgrade', 'websocket'] }],
  ['Expect', { ...GOOD, headers: ['expect', '100-continue'] }],
  ['an odd Connection header', { ...GOOD, headers: ['connection', 'a b'] }],
  ['a bad header name', { ...GOOD, headers: ['a b', '1'] }],
  ['a bad header value', { ...GOOD, headers: ['a', '1\r\nb: 2'] }],
  ['a header without a value', { ...GOOD, headers: ['a'] }],
  ['a relative path', { ...GOOD, path: 'a' }],
  ['a path with a space', { ...GOOD, path: '/a b' }],
  ['a bad method', { ...GOOD, method: 'G T' }],
];

function send(destination: Destination, request: Sent, occupation?: 'request' | 'upload'): Promise<Outcome> {
  return new Promise((resolve) => {
    let status = 0;
    const handler: ResponseHandler = {
      onHead(head) {
        status = head.status;
      },
      onData() {},
      onEnd: () => resolve({ status }),
      onError: (error) => resolve({ error }),
    };
    destination.dispatch({ ...request, body: null }, handler, occupation);
  });
}

async function connectTo(answer?: Parameters<typeof startSite>[0], limits = capacity) {
  const site = await startSite(answer);
  const destination = createDestination(site.url, limits);
  onTestFinished(() => destination.close());
  return { site, destination };
}

describe('the connections to an upstream', () => {
  it.each(refused)('survive more refused requests than there are connections: %s', async (_what, request) => {
    const { destination, site } = await connectTo();
    const outcomes = await Promise.all(Array.from({ length: REQUESTS_AT_MOST + 10 }, () => send(destination, request)));
    for (const outcome of outcomes) expect(outcome).toHaveProperty('error');
    expect(site.asked).toEqual([]);
    expect(await send(destination, GOOD)).toEqual({ status: 200 });
    await until('nothing to be occupied', () => destination.occupied.request === 0);
  });

  it('survive refused uploads', async () => {
    const { destination } = await connectTo();
    for (let i = 0; i <= UPLOADS_AT_MOST; i += 1) await send(destination, refused[0]![1], 'upload');
    expect(destination.occupied.upload).toBe(0);
    expect(await send(destination, GOOD, 'upload')).toEqual({ status: 200 });
  });

  it('serve a request that waits behind thousands that are refused when their turn comes', async () => {
    let finish = () => {};
    const { destination, site } = await connectTo(
      (request, response) => {
        if (request.url === '/slow') finish = () => response.end();
        else response.end();
      },
      { ...capacity, request: 1 },
    );
    const slow = send(destination, { ...GOOD, path: '/slow' });
    await until('the site to be busy', () => site.asked.length === 1);
    const waiting = Array.from({ length: 5_000 }, () => send(destination, refused[0]![1]));
    const honest = send(destination, GOOD);
    finish();
    expect(await slow).toEqual({ status: 200 });
    expect(await honest).toEqual({ status: 200 });
    for (const outcome of await Promise.all(waiting)) expect(outcome).toHaveProperty('error');
    await until('nothing to be occupied', () => destination.occupied.request === 0);
  });

  it('refuse a request at once when too many wait', async () => {
    const held: (() => void)[] = [];
    const { destination } = await connectTo((_request, response) => void held.push(() => response.end()), {
      ...capacity,
      request: 1,
    });
    const sent = Array.from({ length: 8 * REQUESTS_AT_MOST + 2 }, () => send(destination, GOOD));
    expect(await sent.at(-1)).toMatchObject({ error: { name: 'FullError', occupation: 'request' } });
    destination.close();
    expect(await sent[1]).toHaveProperty('error');
  });

  it('recover when the site was down', async () => {
    const { destination, site } = await connectTo(undefined, { ...capacity, request: 5 });
    const { port } = new URL(site.url);
    site.server.closeAllConnections();
    await new Promise((resolve) => site.server.close(resolve));
    for (let i = 0; i < 20; i += 1) expect(await send(destination, GOOD)).toHaveProperty('error');
    await new Promise<void>((resolve) => site.server.listen(Number(port), '127.0.0.1', resolve));
    expect(await send(destination, GOOD)).toEqual({ status: 200 });
  });

  it('replace a connection that a visitor left while it was being opened or used', async () => {
    const { destination } = await connectTo(() => {}, { ...capacity, request: 3 });
    for (let i = 0; i < 10; i += 1) {
      let error: Error | undefined;
      const handler: ResponseHandler = {
        onHead() {},
        onData() {},
        onEnd() {},
        onError: (found) => {
          error = found;
        },
      };
      destination.dispatch({ ...GOOD, body: null }, handler).abort(new Error('left'));
      expect(error?.message).toBe('left');
    }
    expect(destination.occupied.request).toBe(0);
  });
});

describe('the checks before the decision', () => {
  it('find everything that the HTTP client would refuse', async () => {
    const { destination } = await connectTo(undefined, { ...capacity, request: 5 });
    const byte = fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code));
    const name = fc.oneof(
      fc.constantFrom('Host', 'host', 'content-length', 'connection', 'transfer-encoding', 'expect', 'keep-alive'),
      fc.constantFrom('upgrade', 'content-type', 'cookie', 'x_y', 'content_length', 'x-a', 'TE', 'trailer'),
      fc.string({ unit: byte, maxLength: 4 }),
    );
    const value = fc.oneof(
      fc.constantFrom('a', '1', '', 'close', 'chunked', 'host', '100-continue', 'a,,b'),
      fc.string({ unit: byte, maxLength: 6 }),
    );
    const headers = fc.array(fc.tuple(name, value), { maxLength: 5 }).map((list) => ['host', 'a', ...list.flat()]);
    const accepted: string[][] = [];
    await fc.assert(
      fc.asyncProperty(headers, fc.constantFrom('GET', 'DELETE', 'OPTIONS'), async (rawHeaders, method) => {
        const flaw = findFlaw({ method, url: '/', httpVersion: '1.1', rawHeaders });
        if (flaw !== undefined) return;
        accepted.push(rawHeaders);
        const sent = toUpstreamHeaders(rawHeaders, origin).filter(
          // The body that such a header announces is not part of this test.
          (_text, at, all) => all[at - (at % 2)]!.toLowerCase() !== 'content-length',
        );
        expect(await send(destination, { path: '/', method, headers: sent })).toEqual({ status: 200 });
      }),
      { numRuns: 1_000 },
    );
    expect(accepted.length).toBeGreaterThan(100);
  });
});
