/**
 * How requests reach a test app. `inject` calls the framework's handler directly, so it never takes the fast path. In the
 * Vitest project `fast path` (see vitest.config.ts) the same tests run over an HTTP connection in memory, where requests
 * pass Node's HTTP parser and the fast path.
 */
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { Duplex } from 'node:stream';
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';

/** The address and Host header that `inject` uses too. */
const REMOTE_ADDRESS = '127.0.0.1';
const HOST = 'localhost:80';

/** Makes `app.inject` send requests through the fast path if this run is for it. */
export function chooseTransport(app: FastifyInstance): void {
  if (process.env.TEST_TRANSPORT !== 'http') return;
  if (app.fastPath === undefined) return;
  const inject = (options: InjectOptions) => sendOverHttp(app, options);
  app.inject = inject as typeof app.inject;
}

async function sendOverHttp(app: FastifyInstance, options: InjectOptions): Promise<LightMyRequestResponse> {
  await app.ready();
  const { method = 'GET', url, payload, remoteAddress = REMOTE_ADDRESS } = options;
  const body = typeof payload === 'object' ? JSON.stringify(payload) : (payload as string | undefined);
  const [client, server] = createConnection(remoteAddress);
  app.server.emit('connection', server);
  const sent = httpRequest({
    method,
    path: String(url),
    headers: {
      host: HOST,
      ...(typeof payload === 'object' ? { 'content-type': 'application/json' } : {}),
      ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
      connection: 'keep-alive',
      ...(options.headers as Record<string, string>),
    },
    createConnection: () => client as never,
  });
  sent.end(body);
  try {
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return toResponse(response, Buffer.concat(await response.toArray()));
  } finally {
    client.destroy();
    server.destroy();
  }
}

/** Two ends of a connection in memory. Node's HTTP server accepts any duplex stream. */
function createConnection(remoteAddress: string): [Duplex, Duplex] {
  const create = (other: () => Duplex) =>
    new Duplex({
      read() {},
      write(chunk, _encoding, done) {
        other().push(chunk);
        done();
      },
      final(done) {
        other().push(null);
        done();
      },
    });
  const client: Duplex = create(() => server);
  const server: Duplex = create(() => client);
  for (const end of [client, server]) {
    Object.assign(end, { setTimeout() {}, setNoDelay() {}, setKeepAlive() {}, ref() {}, unref() {}, remoteAddress });
  }
  return [client, server];
}

function toResponse(response: IncomingMessage, rawPayload: Buffer): LightMyRequestResponse {
  const payload = rawPayload.toString();
  return {
    statusCode: response.statusCode!,
    statusMessage: response.statusMessage!,
    headers: response.headers,
    rawPayload,
    payload,
    body: payload,
    json: () => JSON.parse(payload),
  } as unknown as LightMyRequestResponse;
}
