/** Sends the same requests over the fast path and through the framework. A client must not see any difference. */
import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createTestApp } from '../../support/test-app.ts';

interface TestRequest {
  method: 'GET' | 'POST';
  url: string;
  headers?: Record<string, string>;
  body?: string;
}

interface Answer {
  status: number;
  headers: Record<string, unknown>;
  body: unknown;
}

async function listen(env: Record<string, string> = {}, whileClosing: () => Promise<void> = async () => {}) {
  const test = await createTestApp(env);
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  test.app.addHook('preClose', whileClosing);
  let fastPathCount = 0;
  const { fastPath } = test.app;
  if (fastPath !== undefined) {
    const take = fastPath.take.bind(fastPath);
    fastPath.take = (request, response) => {
      const isTaken = take(request, response);
      if (isTaken) fastPathCount += 1;
      return isTaken;
    };
  }
  await test.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = test.app.server.address() as AddressInfo;
  await test.operator('PUT', '/api/admin/rooms/concert', { body: { maxActive: 1 } });
  await test.operator('PUT', '/api/admin/rooms/over', { body: { state: 'closed' } });
  const bearer = (user: string) => ({ authorization: `Bearer ${test.userToken(user)}` });

  async function send(request: TestRequest): Promise<Answer & { tookFastPath: boolean }> {
    const before = fastPathCount;
    const answer = await sendByHttp(port, agent, request);
    return { ...answer, tookFastPath: fastPathCount > before };
  }

  /** `inject` calls the framework's handler directly and never reaches the fast path. */
  async function sendToFramework({ method, url, headers = {}, body }: TestRequest): Promise<Answer> {
    const answer = await test.app.inject({ method, url, headers, ...(body === undefined ? {} : { payload: body }) });
    return toAnswer(answer.statusCode, answer.headers as IncomingHttpHeaders, answer.payload);
  }

  return { ...test, port, bearer, send, sendToFramework };
}

function sendByHttp(port: number, agent: Agent, { method, url, headers = {}, body }: TestRequest): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ host: '127.0.0.1', port, method, path: url, headers, agent }, (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => resolve(toAnswer(response.statusCode!, response.headers, text)));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Sends `text` over one connection and returns everything received until the server closes it. */
function talk(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port });
    let received = '';
    socket.setEncoding('latin1');
    socket.on('data', (chunk) => {
      received += chunk;
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(received));
    socket.write(text);
  });
}

interface Bearer {
  authorization: string;
}

const toText = (path: string, { authorization }: Bearer, more = '', version = '1.1') =>
  `GET ${path} HTTP/${version}\r\nhost: fairline\r\nauthorization: ${authorization}\r\n${more}\r\n`;

/** The lines of a response head in a fixed order, and the date separately. */
function readHead(answer: string) {
  const lines = answer.slice(0, answer.indexOf('\r\n\r\n')).toLowerCase().split('\r\n').sort();
  const date = lines.find((line) => line.startsWith('date: ')) ?? 'none';
  return { date: Date.parse(date.slice('date: '.length)), lines: lines.filter((line) => line !== date) };
}

/** Leaves out headers of the connection, and replaces values that are new in every response. */
function toAnswer(status: number, all: IncomingHttpHeaders, text: string): Answer {
  const { date: _date, connection: _connection, 'keep-alive': _alive, 'set-cookie': cookies, ...headers } = all;
  const traceId = (JSON.parse(text) as { error?: { trace_id: string } }).error?.trace_id;
  const hide = (value: unknown) => (value === traceId && traceId !== 'mine' ? 'a trace id' : value);
  return {
    status,
    headers: {
      ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, hide(value)])),
      'set-cookie': [cookies ?? []].flat().map((cookie) => cookie.replace(/(fairline-guest)=[^;]+/, '$1=new')),
      // Trace ids differ in length.
      'content-length': traceId === undefined ? headers['content-length'] : 'of an error',
    },
    body: JSON.parse(text, (_name, value) => hide(value)),
  };
}

const check = '/api/queue/check/concert';
const status = '/api/queue/status/concert';

describe('the fast path', () => {
  it('responds like the framework to every visitor, also with errors', async () => {
    const { bearer, send, sendToFramework } = await listen();
    const requests: TestRequest[] = [
      { method: 'POST', url: check, headers: bearer('inside') },
      { method: 'POST', url: check, headers: bearer('first') },
      { method: 'POST', url: check, headers: { ...bearer('second'), 'content-type': 'application/json' } },
      { method: 'POST', url: '/api/v1/queue/check/concert', headers: { ...bearer('third'), 'content-length': '0' } },
      { method: 'GET', url: status, headers: bearer('inside') },
      { method: 'GET', url: '/api/v1/queue/status/concert', headers: bearer('first') },
      { method: 'GET', url: status, headers: bearer('stranger') },
      { method: 'GET', url: status, headers: { cookie: 'somebody=else' } },
      { method: 'POST', url: '/api/queue/heartbeat/concert', headers: bearer('second') },
      { method: 'GET', url: status, headers: { ...bearer('first'), 'x-request-id': 'mine' } },
      { method: 'GET', url: status, headers: { authorization: 'Bearer forged' } },
      { method: 'GET', url: status, headers: { cookie: 'fairline-guest=forged' } },
      { method: 'POST', url: '/api/queue/check/nowhere', headers: { ...bearer('first'), 'x-request-id': 'mine' } },
      { method: 'POST', url: '/api/queue/check/over', headers: bearer('first') },
      { method: 'GET', url: '/vwr/status/concert' },
      { method: 'GET', url: '/vwr/check/concert/no.such-place' },
      { method: 'POST', url: '/vwr/assign/concert' },
    ];
    for (const request of requests) {
      const { tookFastPath, ...answer } = await send(request);
      expect({ request, tookFastPath, answer }).toEqual({
        request,
        tookFastPath: true,
        answer: await sendToFramework(request),
      });
    }
  });

  it('sends the same response head as the framework, line by line, for each kind of connection', async () => {
    const { port, bearer, send } = await listen();
    const user = bearer('first');
    for (const headers of [bearer('inside'), user]) await send({ method: 'POST', url: check, headers });
    const keep = 'connection: keep-alive\r\n';
    const close = 'connection: close\r\n';
    const last = toText(status, user, close);
    for (const [more, version, next] of [
      ['', '1.1', last],
      [keep, '1.1', last],
      [close, '1.1', ''],
      ['', '1.0', ''],
      [keep, '1.0', last],
    ]) {
      const headOf = async (path: string) => readHead(await talk(port, toText(path, user, more, version) + next));
      const fast = await headOf(status);
      const framework = await headOf(`${status}?framework`);
      expect({ more, version, lines: fast.lines }).toEqual({ more, version, lines: framework.lines });
      expect(fast.lines).toContain('http/1.1 200 ok');
      expect(Math.abs(fast.date - framework.date)).toBeLessThanOrEqual(60_000);
    }
  });

  it('answers pipelined requests in order', async () => {
    const { port, bearer, send } = await listen();
    const users = ['first', 'second', 'third'].map(bearer);
    for (const headers of users) await send({ method: 'POST', url: check, headers });
    const [first, second, third] = users as [Bearer, Bearer, Bearer];
    const viaFramework = `${status}?framework`;
    const answers = await talk(
      port,
      toText(viaFramework, third) +
        toText(status, second) +
        toText(check, third).replace('GET', 'POST') +
        toText(viaFramework, second) +
        toText(status, first, 'connection: close\r\n'),
    );
    expect([...answers.matchAll(/"number":(\d+)/g)].map(([, number]) => Number(number))).toEqual([3, 2, 3, 2, 1]);
  });

  it('sends the operator’s message in any script', async () => {
    const { bearer, send, sendToFramework, operator } = await listen();
    await send({ method: 'POST', url: check, headers: bearer('inside') });
    await send({ method: 'POST', url: check, headers: bearer('first') });
    await operator('PUT', '/api/admin/rooms/concert', {
      body: { message: { ko: '10분 늦게 시작합니다 — désolé 🎫' } },
    });
    const request: TestRequest = { method: 'GET', url: status, headers: bearer('first') };
    const { tookFastPath, ...answer } = await send(request);
    expect(tookFastPath).toBe(true);
    expect(JSON.stringify(answer.body)).toContain('10분 늦게 시작합니다 — désolé 🎫');
    expect(answer).toEqual(await sendToFramework(request));
  });

  it('leaves every other form of request to the framework', async () => {
    const { bearer, send, sendToFramework } = await listen();
    await send({ method: 'POST', url: check, headers: bearer('first') });
    const json = { ...bearer('first'), 'content-type': 'application/json' };
    const requests: TestRequest[] = [
      { method: 'GET', url: `${status}?lang=ko`, headers: bearer('first') },
      { method: 'GET', url: '/api/queue/status/con%63ert', headers: bearer('first') },
      { method: 'GET', url: '/api/queue/status/no%20such', headers: bearer('first') },
      { method: 'GET', url: '/api/queue/status/', headers: bearer('first') },
      { method: 'GET', url: `${status}/more`, headers: bearer('first') },
      { method: 'GET', url: `/api/queue/status/${'x'.repeat(65)}`, headers: bearer('first') },
      { method: 'GET', url: check, headers: bearer('first') },
      { method: 'POST', url: status, headers: bearer('first') },
      { method: 'POST', url: check, headers: { ...json, 'content-length': '2' }, body: '{}' },
      { method: 'POST', url: check, headers: { ...json, 'content-length': '5' }, body: '{"bad' },
      { method: 'POST', url: check, headers: { ...json, 'content-length': '2000' }, body: 'x'.repeat(2000) },
      { method: 'POST', url: check, headers: { ...bearer('first'), 'content-type': 'text/plain' } },
      { method: 'GET', url: '/vwr/check/concert/one/too-many' },
      { method: 'POST', url: '/vwr/assign/concert', headers: json, body: '{}' },
    ];
    for (const request of requests) {
      const { tookFastPath, ...answer } = await send(request);
      expect({ request, tookFastPath, answer }).toEqual({
        request,
        tookFastPath: false,
        answer: await sendToFramework(request),
      });
    }
  });

  it('sets a Secure guest cookie only if a trusted proxy reports https', async () => {
    for (const [trusted, isSecure] of [
      ['127.0.0.1', true],
      ['10.0.0.1', false],
    ] as const) {
      const { send, sendToFramework } = await listen({ TRUST_PROXY: trusted });
      const headers = { 'x-forwarded-proto': 'http, https', 'x-forwarded-for': '203.0.113.7' };
      const request: TestRequest = { method: 'POST', url: check, headers };
      const { tookFastPath, ...answer } = await send(request);
      expect(tookFastPath).toBe(true);
      const cookies = answer.headers['set-cookie'] as string[];
      expect(cookies.map((cookie) => /; Secure/.test(cookie))).toEqual(cookies.map(() => isSecure));
      const framework = await sendToFramework(request);
      expect((framework.headers['set-cookie'] as string[])[0]).toBe(cookies[0]);
    }
  });

  it('limits guest joins by the address that a trusted proxy reports', async () => {
    const { send } = await listen({ TRUST_PROXY: '127.0.0.1', LIMIT_GUEST_JOIN_PER_IP: '1' });
    const from = (address: string): TestRequest => ({
      method: 'POST',
      url: check,
      headers: { 'x-forwarded-for': address },
    });
    expect((await send(from('203.0.113.7'))).status).toBe(200);
    expect(await send(from('203.0.113.7'))).toMatchObject({
      status: 429,
      headers: { 'retry-after': expect.any(String) },
      body: { error: { code: 'RATE_LIMITED' } },
    });
    expect((await send(from('203.0.113.8'))).status).toBe(200);
  });

  it('records its requests in the same metric', async () => {
    const { bearer, send, anyone } = await listen();
    await send({ method: 'GET', url: status, headers: bearer('first') });
    await send({ method: 'GET', url: status, headers: { authorization: 'Bearer forged' } });
    const metrics = (await anyone('GET', '/metrics')).payload;
    for (const code of [200, 401]) {
      const labels = `method="GET",route="/api/queue/status/:eventId",status="${code}"`;
      expect(metrics).toContain(`fairline_http_request_seconds_count{${labels}} 1`);
    }
  });

  it('closes before the server does, so that the framework refuses late requests', async () => {
    let late: Answer | undefined;
    const test = await listen({}, async () => {
      late = await test.send(request);
    });
    const request: TestRequest = { method: 'GET', url: status, headers: test.bearer('first') };
    expect((await test.send(request)).tookFastPath).toBe(true);
    await test.app.close();
    expect(late).toMatchObject({ status: 503 });
  });

  it('is switched off by HTTP_FAST_PATH=off, with the same responses', async () => {
    const on = await listen();
    const off = await listen({ HTTP_FAST_PATH: 'off' });
    for (const test of [on, off]) await test.send({ method: 'POST', url: check, headers: on.bearer('inside') });
    const request: TestRequest = { method: 'POST', url: check, headers: on.bearer('first') };
    const byFastPath = await on.send(request);
    const byFramework = await off.send(request);
    expect([byFastPath.tookFastPath, byFramework.tookFastPath]).toEqual([true, false]);
    expect(byFramework).toEqual({ ...byFastPath, tookFastPath: false });
    expect(off.app.fastPath).toBeUndefined();
  });
});
