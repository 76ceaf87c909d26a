/** Whatever a client sends, an error has our shape: clients and proxies can rely on one, and none shows what runs here. */
import { type AddressInfo, connect, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { errorKinds } from '../../src/http/errors.ts';
import { createTestApp } from '../support/test-app.ts';

const JOIN = '/api/queue/check/concert';
const head = (line: string, ...headers: string[]) => `${[line, 'host: x', ...headers].join('\r\n')}\r\n\r\n`;

const wrong: [string, string, number, string][] = [
  ['a path parameter that is too long', head(`GET /api/queue/status/${'x'.repeat(300)} HTTP/1.1`), 414, 'URI_TOO_LONG'],
  ['percent-encoding that is malformed', head('GET /queue/%zz HTTP/1.1'), 400, 'BAD_REQUEST'],
  ['percent-encoding that is not UTF-8', head('GET /queue/%ff HTTP/1.1'), 400, 'BAD_REQUEST'],
  ['headers that are too large', head('GET /health HTTP/1.1', `x: ${'x'.repeat(20_000)}`), 431, 'HEADERS_TOO_LARGE'],
  ['a URL that is too large', head(`GET /${'x'.repeat(20_000)} HTTP/1.1`), 431, 'HEADERS_TOO_LARGE'],
  ['what is not HTTP', 'hello\r\n\r\n', 400, 'BAD_REQUEST'],
  ['a method that does not exist', head('HELLO /health HTTP/1.1'), 400, 'BAD_REQUEST'],
  ['a method that no endpoint has', head('PROPFIND /health HTTP/1.1'), 405, 'METHOD_NOT_ALLOWED'],
  ['a request without a Host', `GET /health HTTP/1.1\r\n\r\n`, 400, 'BAD_REQUEST'],
  ['a poll without a Host', `GET /api/queue/status/concert HTTP/1.1\r\n\r\n`, 400, 'BAD_REQUEST'],
  ['two lengths', head(`POST ${JOIN} HTTP/1.1`, 'content-length: 1', 'content-length: 2'), 400, 'BAD_REQUEST'],
  [
    'a length and chunks',
    head(`POST ${JOIN} HTTP/1.1`, 'content-length: 1', 'transfer-encoding: chunked'),
    400,
    'BAD_REQUEST',
  ],
  ['an expectation', head(`POST ${JOIN}x HTTP/1.1`, 'expect: a-pony'), 404, 'EVENT_NOT_FOUND'],
  ['a path that does not exist', head('GET /no-such-path HTTP/1.1'), 404, 'NOT_FOUND'],
  ['a method that the path does not have', head('PATCH /health HTTP/1.1'), 405, 'METHOD_NOT_ALLOWED'],
  [
    'a media type that nothing reads',
    `${head(`POST ${JOIN} HTTP/1.1`, 'content-type: text/x', 'content-length: 1')}x`,
    415,
    'UNSUPPORTED_MEDIA_TYPE',
  ],
  [
    'a media type that is malformed',
    `${head(`POST ${JOIN} HTTP/1.1`, 'content-type: x', 'content-length: 1')}x`,
    415,
    'UNSUPPORTED_MEDIA_TYPE',
  ],
  [
    'JSON that is malformed',
    `${head(`POST ${JOIN} HTTP/1.1`, 'content-type: application/json', 'content-length: 1')}{`,
    400,
    'BAD_REQUEST',
  ],
  [
    'a body that is too large',
    head(`POST ${JOIN} HTTP/1.1`, 'content-type: application/json', 'content-length: 5000') + ' '.repeat(5000),
    413,
    'BODY_TOO_LARGE',
  ],
  [
    'a body larger than its length says',
    `${head(`POST ${JOIN} HTTP/1.1`, 'transfer-encoding: chunked')}zz\r\n`,
    400,
    'BAD_REQUEST',
  ],
];

async function listen(fastPath: string) {
  const test = await createTestApp({ SHOP: 'off', HTTP_FAST_PATH: fastPath });
  await test.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = test.app.server.address() as AddressInfo;
  return { ...test, port };
}

/** Sends bytes and returns the first response, whether or not the server then closes the connection. */
function send(port: number, text: string): Promise<{ status: number; head: string; body: string }> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port });
    let received = '';
    socket.setEncoding('utf8');
    socket.on('error', reject);
    socket.on('data', (chunk) => {
      received += chunk;
      const end = received.indexOf('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(received)?.[1] ?? Number.NaN);
      if (end === -1 || received.length < end + 4 + length) return;
      socket.destroy();
      resolve({
        status: Number(received.slice(9, 12)),
        head: received.slice(0, end).toLowerCase(),
        body: received.slice(end + 4, end + 4 + length),
      });
    });
    socket.on('close', () => reject(new Error(`closed after: ${received}`)));
    socket.write(text);
  });
}

describe.each(['on', 'off'])('an error (fast path %s)', (fastPath) => {
  it.each(wrong)('has our shape: %s', async (_name, text, status, code) => {
    const { port } = await listen(fastPath);
    const answer = await send(port, text);
    const body = JSON.parse(answer.body);
    expect([answer.status, body]).toEqual([
      status,
      { error: { code, message: expect.any(String), trace_id: expect.any(String) }, message: body.error.message },
    ]);
    expect(errorKinds[code as keyof typeof errorKinds].status).toBe(status);
    expect(answer.body).not.toMatch(/FST_|HPE_|fastify/i);
    for (const header of ['content-type: application/json', 'nosniff', 'cache-control: no-store', 'referrer-policy']) {
      expect(answer.head).toContain(header);
    }
  });

  it('has our shape while the server stops', async () => {
    const test = await createTestApp({ SHOP: 'off', HTTP_FAST_PATH: fastPath });
    let late: Promise<string> | undefined;
    test.app.addHook('preClose', async () => {
      late = talk(socket, head('GET /health HTTP/1.1'));
      await late;
    });
    await test.app.listen({ host: '127.0.0.1', port: 0 });
    const socket = connect({ host: '127.0.0.1', port: (test.app.server.address() as AddressInfo).port });
    expect(await talk(socket, head('GET /health HTTP/1.1'))).toContain('200 OK');
    await test.app.close();
    const [statusLine = '', body = ''] = (await late)!.split('\r\n\r\n');
    expect([statusLine.slice(9, 12), JSON.parse(body).error.code]).toEqual(['503', 'STOPPING']);
  });
});

/** Sends on an open connection and returns the next piece that arrives. */
function talk(socket: Socket, text: string): Promise<string> {
  socket.write(text);
  return new Promise((resolve, reject) => {
    socket.once('data', (chunk) => resolve(String(chunk)));
    socket.once('error', reject);
  });
}
