/** Requests that have no body and do not say so: neither Content-Length nor Transfer-Encoding. */
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createHttpServer } from '../../../src/platform/http-server/http-server.ts';

const refuse = () => new Error('refused');
const app = createHttpServer(
  {
    ...{ trustProxy: [], trustedOrigins: [], hsts: undefined, createId: () => 'trace' },
    onError: (error, _request, reply) => reply.code(error.statusCode ?? 500).send({ message: error.message }),
    refusals: {
      ...{ crossSite: refuse, missingHost: refuse, wrongMethod: refuse, stopping: refuse },
      clientError: () => ({ status: 400, body: '' }) as never,
    },
  },
  (_request, reply) => reply.code(404).send(),
);
let port = 0;

beforeAll(async () => {
  app.get('/read', async () => ({ ok: true }));
  app.post('/write', async (request) => ({ body: request.body ?? null }));
  await app.listen({ host: '127.0.0.1', port: 0 });
  port = (app.server.address() as { port: number }).port;
});
afterAll(() => app.close());

/** Sends the requests over one connection, each with its headers, and returns everything received. */
function talk(...requests: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port });
    let received = '';
    socket.setEncoding('latin1');
    socket.on('data', (chunk) => {
      received += chunk;
    });
    socket.on('close', () => resolve(received));
    socket.on('error', reject);
    socket.write(requests.map((request) => `${request}\r\n\r\n`).join(''));
  });
}

const LAST = 'host: localhost\r\nconnection: close';
const KEPT = 'host: localhost';

it('answers a POST with a content type and no body', async () => {
  const answer = await talk(`POST /write HTTP/1.1\r\ncontent-type: application/json\r\n${LAST}`);
  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  expect(answer).toMatch(/\{"body":null\}$/);
});

it('refuses a type that it does not accept, body or not', async () => {
  expect(await talk(`POST /write HTTP/1.1\r\ncontent-type: text/html\r\n${LAST}`)).toMatch(/^HTTP\/1\.1 415 /);
});

it('still reads a body that follows on the same connection', async () => {
  const json = 'content-type: application/json';
  const answers = await talk(
    `GET /read HTTP/1.1\r\n${KEPT}`,
    `POST /write HTTP/1.1\r\n${json}\r\n${KEPT}`,
    `POST /write HTTP/1.1\r\n${json}\r\n${KEPT}\r\ncontent-length: 9\r\n\r\n{"a": 12}GET /read HTTP/1.1\r\n${LAST}`,
  );
  expect(answers.match(/\{.*?\}+/g)).toEqual(['{"ok":true}', '{"body":null}', '{"body":{"a":12}}', '{"ok":true}']);
});
