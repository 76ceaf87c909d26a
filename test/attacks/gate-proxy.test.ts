/** Requests that are malformed, or that the gate and the site could read differently. */
import { type AddressInfo, createServer } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ask, runGate } from '../gate/proxy/run-gate.ts';
import { openRaw, type RawResponse, sendRaw, toRequest } from '../support/raw-http.ts';
import { startSite } from '../support/site.ts';
import { until } from '../support/until.ts';

/** More than the connections that a gate opens to an upstream. */
const MANY = 1_100;

async function startAll(env: Record<string, string> = {}) {
  const [site, line] = [await startSite(), await startSite()];
  const gate = await runGate({
    GATE_UPSTREAM: site.url,
    GATE_LINE_URL: line.url,
    LIMIT_GATE_REQUESTS_PER_IP: '0',
    ...env,
  });
  return { ...gate, site, line };
}

function expectError({ status, json, headers }: RawResponse, wanted: number, code: string): void {
  expect([status, json?.error?.code]).toEqual([wanted, code]);
  expect(json.error).toMatchObject({ message: expect.any(String), trace_id: headers['x-request-id'] });
  expect(json.error.trace_id).toBeTypeOf('string');
}

describe('a request that the HTTP client would refuse', () => {
  it.each([
    ['to the site', '/'],
    ['to the line', '/queue/concert'],
  ])(`is refused ${MANY} times over one connection, and the gate still serves others (%s)`, async (_where, path) => {
    const { url, site, line } = await startAll();
    const connection = openRaw(url);
    connection.write(toRequest(`GET ${path}`, ['Host: a', 'Host: b']).repeat(MANY));
    await until('all responses', () => connection.responses().length === MANY);
    for (const response of connection.responses()) expectError(response, 400, 'BAD_REQUEST');
    const asked = [site, line].flatMap((upstream) => upstream.asked.map((request) => request.url));
    expect(asked.filter((target) => target === path)).toEqual([]);
    for (const honest of ['/', '/queue/concert']) expect((await ask(url, honest)).status).toBe(200);
  });

  const host = 'Host: shop.example';
  const classes: [string, string, number?, string?][] = [
    ['two Host headers', toRequest('GET /', ['Host: a', 'Host: b'])],
    ['two equal Host headers', toRequest('GET /', ['Host: a', 'hOsT: a'])],
    ['no Host header', toRequest('GET /', ['Accept: */*'])],
    ['HTTP/1.0 without a Host header', 'GET / HTTP/1.0\r\n\r\n'],
    ['an empty Host header', toRequest('GET /', ['Host:'])],
    ['a Host header with a path', toRequest('GET /', ['Host: a/b'])],
    ['a Host header with a user', toRequest('GET /', ['Host: a@b'])],
    ['two Content-Length headers', toRequest('POST /', [host, 'Content-Length: 1', 'Content-Length: 1'], 'x')],
    ['an odd Content-Length header', toRequest('POST /', [host, 'Content-Length: +1'], 'x')],
    [
      'Content-Length and Transfer-Encoding',
      toRequest('POST /', [host, 'Content-Length: 1', 'Transfer-Encoding: chunked']),
    ],
    ['another transfer coding', toRequest('POST /', [host, 'Transfer-Encoding: gzip, chunked'], '0\r\n\r\n')],
    ['a transfer coding in HTTP/1.0', `POST / HTTP/1.0\r\n${host}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['two Authorization headers', toRequest('GET /', [host, 'Authorization: Bearer a', 'Authorization: Bearer b'])],
    ['two Content-Type headers', toRequest('GET /', [host, 'Content-Type: text/plain', 'Content-Type: text/html'])],
    ['two entry tokens', toRequest('GET /', [host, 'X-Queue-Entry-Token: a', 'X-Queue-Entry-Token: b'])],
    ['an unknown expectation', toRequest('GET /', [host, 'Expect: a-miracle'])],
    ['an invalid header name', toRequest('GET /', [host, 'a b: c'])],
    ['an empty header name', toRequest('GET /', [host, ': c'])],
    ['a control character in a header value', toRequest('GET /', [host, 'a: \x01'])],
    ['DEL in a header value', toRequest('GET /', [host, 'a: \x7f'])],
    ['NUL in a header value', toRequest('GET /', [host, 'a: b\0c'])],
    ['a folded header', toRequest('GET /', [host, 'a: b', ' c: d'])],
    ['a space before the colon', toRequest('GET /', [host, 'a : b'])],
    ['a bare line feed in a header', toRequest('GET /', [host, 'a: b\nc: d'])],
    ['a path with a byte above ASCII', toRequest('GET /\xff', [host])],
    ['an absolute target', toRequest('GET http://evil.example/', [host]), 400, 'AMBIGUOUS_PATH'],
    ['an asterisk target', toRequest('OPTIONS *', [host]), 400, 'AMBIGUOUS_PATH'],
    ['a CONNECT request', toRequest('CONNECT evil.example:443', [host]), 400, 'AMBIGUOUS_PATH'],
    ['a CONNECT request with a path', toRequest('CONNECT /', [host]), 405, 'METHOD_NOT_ALLOWED'],
    ['an unknown method', toRequest('F@O /', [host])],
    ['an upgrade to h2c', toRequest('GET /', [host, 'Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c'])],
    [
      'a WebSocket with two Host headers',
      toRequest('GET /', [host, host, 'Connection: Upgrade', 'Upgrade: websocket']),
    ],
    [
      'a WebSocket with a body',
      toRequest('GET /', [host, 'Connection: Upgrade', 'Upgrade: websocket', 'Content-Length: 5'], 'GET /'),
    ],
    [
      '201 headers',
      toRequest('GET /', [host, ...Array.from({ length: 200 }, (_, i) => `x-${i}: 1`)]),
      431,
      'HEADERS_TOO_LARGE',
    ],
    ['headers of 20 KB', toRequest('GET /', [host, `Cookie: ${'x'.repeat(20_000)}`]), 431, 'HEADERS_TOO_LARGE'],
    ['a target of 5 KB', toRequest(`GET /${'x'.repeat(5_000)}`, [host]), 414, 'URI_TOO_LONG'],
  ];

  it.each(classes)('gets an error in our form: %s', async (_what, text, status = 400, code = 'BAD_REQUEST') => {
    const { url, site } = await startAll();
    expectError(await sendRaw(url, text), status, code);
    expect(site.asked).toEqual([]);
    expect((await ask(url, '/')).status).toBe(200);
  });

  it('gets 408 if its headers do not arrive in time', async () => {
    const { url } = await startAll();
    expectError(await sendRaw(url, 'GET / HTTP/1.1\r\nHost: sh'), 408, 'REQUEST_TIMEOUT');
  });

  it('always gets one response, whatever its headers are, and others are served afterwards', async () => {
    const { url } = await startAll();
    const names = fc.constantFrom(
      ...[
        'host',
        'content-length',
        'transfer-encoding',
        'connection',
        'keep-alive',
        'upgrade',
        'expect',
        'te',
        'trailer',
      ],
      ...[
        'content-type',
        'authorization',
        'cookie',
        'proxy',
        'x_a',
        'x-a',
        'a b',
        '',
        'http2-settings',
        'x-forwarded-for',
      ],
    );
    const values = fc.oneof(
      fc.constantFrom('', 'a', '0', '-1', 'chunked', 'close', 'keep-alive', 'host', ',', 'a b', 'h2c', '100-continue'),
      fc.string({ unit: fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)), maxLength: 8 }),
    );
    const field = fc.tuple(names, values).map(([name, value]) => `${name}: ${value}`);
    const lines = fc.array(field, { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('GET', 'HEAD', 'DELETE', 'OPTIONS'),
        fc.boolean(),
        lines,
        async (method, hasHost, extra) => {
          const connection = openRaw(url);
          // Without a body, `content-length: 0` ends the request even if a header announces one.
          connection.write(toRequest(`${method} /`, [...(hasHost ? ['Host: a'] : []), ...extra]));
          connection.socket.end();
          const status = await until(
            'a response',
            () =>
              /^HTTP\/1\.1 (\d{3})/.exec(connection.received())?.[1] ??
              (connection.socket.closed ? 'closed' : undefined),
          );
          connection.socket.destroy();
          // 502 and 504 would mean that the request reached the HTTP client. An incomplete one may just be closed.
          expect(['200', '400', '403', '405', '408', 'closed']).toContain(status);
        },
      ),
      { numRuns: 300 },
    );
    expect((await ask(url, '/')).status).toBe(200);
  });
});

describe('headers that the gate forwards', () => {
  const seenBy = async (url: string, headers: readonly string[]) => {
    const { status, json } = await sendRaw(
      url,
      toRequest('POST /', ['Host: shop.example', ...headers, 'Content-Length: 2'], '{}'),
    );
    expect(status).toBe(200);
    return json;
  };

  it('keep what a Connection header names but the site needs', async () => {
    const { url } = await startAll();
    const named =
      'host, content-length, content-type, cookie, authorization, origin, x-forwarded-for, sec-fetch-site, x-hop';
    const { headers, body } = await seenBy(url, [
      `Connection: ${named}`,
      'Content-Type: application/json',
      'Cookie: a=1',
      'Authorization: Bearer t',
      'Origin: https://shop.example',
      'Sec-Fetch-Site: same-origin',
      'X-Hop: 1',
    ]);
    expect(body).toBe('{}');
    expect(headers).toEqual({
      host: 'shop.example',
      connection: 'keep-alive',
      'content-length': '2',
      'content-type': 'application/json',
      cookie: 'a=1',
      authorization: 'Bearer t',
      origin: 'https://shop.example',
      'sec-fetch-site': 'same-origin',
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-host': 'shop.example',
      'x-forwarded-proto': 'http',
    });
  });

  it('do not include Proxy, names with underscores, hop-by-hop headers and claims of an address or identity', async () => {
    const { url } = await startAll();
    const { headers } = await seenBy(url, [
      ...[
        'Proxy: http://evil.example',
        'PROXY: x',
        'X_Forwarded_For: 1.2.3.4',
        'x_user-id: admin',
        'Content_Length: 9',
      ],
      ...['TE: trailers', 'Trailer: x', 'Keep-Alive: 5', 'HTTP2-Settings: x', 'Upgrade: h2c', 'Proxy-Connection: x'],
      ...['X-Forwarded: x', 'X-Host: evil', 'X-Middleware-Subrequest: middleware', 'SSL-Client-Verify: SUCCESS'],
      ...['X-Fairline-Event: other', 'X-Fairline-Visitor: admin', 'Fly-Client-IP: 1.2.3.4'],
    ]);
    expect(Object.keys(headers).sort()).toEqual(
      ['connection', 'content-length', 'host', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto'].sort(),
    );
  });

  it('have all cookies in one header, as the gate has read them', async () => {
    const { url } = await startAll();
    expect((await seenBy(url, ['Cookie: a=1', 'Cookie: b=2'])).headers.cookie).toBe('a=1; b=2');
  });
});

describe('a response of the site', () => {
  /** A site that sends these bytes for every request. */
  async function answerWith(text: string) {
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => socket.end(text, 'latin1'));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    return runGate({ GATE_UPSTREAM: `http://127.0.0.1:${port}` });
  }
  const ok = 'HTTP/1.1 200 OK\r\n';

  it.each([
    ['a control character in its status line', 'HTTP/1.1 200 O\x01K\r\nContent-Length: 0\r\n\r\n'],
    ['a carriage return in a header', `${ok}X: a\rSet-Cookie: b=1\r\nContent-Length: 0\r\n\r\n`],
    ['a bare line feed in a header', `${ok}X: a\nSet-Cookie: b=1\r\nContent-Length: 0\r\n\r\n`],
    ['a folded header', `${ok}X: a\r\n Set-Cookie: b=1\r\nContent-Length: 0\r\n\r\n`],
    ['NUL in a header', `${ok}X: a\0b\r\nContent-Length: 0\r\n\r\n`],
    ['DEL in a header', `${ok}X: a\x7fb\r\nContent-Length: 0\r\n\r\n`],
    ['two lengths', `${ok}Content-Length: 1\r\nContent-Length: 2\r\n\r\nxx`],
    ['a length and a transfer coding', `${ok}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['an upgrade that nobody asked for', 'HTTP/1.1 101 X\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\nHTTP/1.1 200'],
    ['headers of 20 KB', `${ok}X: ${'x'.repeat(20_000)}\r\n\r\n`],
  ])('adds no header and leaves the gate working if it has %s', async (_what, text) => {
    const { url } = await answerWith(text);
    for (let i = 0; i < 3; i += 1) {
      const { status, headers } = await ask(url, '/');
      expect([200, 502]).toContain(status);
      expect(headers).not.toHaveProperty('set-cookie');
    }
  });

  it('keeps bytes above ASCII in headers', async () => {
    const { url } = await answerWith(`${ok}X-Name: caf\xe9\r\nContent-Length: 0\r\n\r\n`);
    expect((await sendRaw(url, toRequest('GET /', ['Host: a']))).headers['x-name']).toBe('caf\xe9');
  });
});
