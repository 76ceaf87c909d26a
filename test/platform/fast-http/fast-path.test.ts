/** The short way and the usual one, asked the same: they may differ in nothing that a client sees. */
import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createTestApp } from '../../support/test-app.ts';

interface Asking {
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
  let usual = 0;
  test.app.addHook('onRequest', async () => {
    usual += 1;
  });
  await test.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = test.app.server.address() as AddressInfo;
  await test.operator('PUT', '/api/admin/rooms/concert', { body: { maxActive: 1 } });
  await test.operator('PUT', '/api/admin/rooms/over', { body: { state: 'closed' } });
  const bearer = (user: string) => ({ authorization: `Bearer ${test.userToken(user)}` });

  async function byWire(asking: Asking): Promise<Answer & { wentTheUsualWay: boolean }> {
    const before = usual;
    const answer = await askByWire(port, agent, asking);
    return { ...answer, wentTheUsualWay: usual > before };
  }

  async function byTheUsualWay({ method, url, headers = {}, body }: Asking): Promise<Answer> {
    const answer = await test.app.inject({ method, url, headers, ...(body === undefined ? {} : { payload: body }) });
    return toAnswer(answer.statusCode, answer.headers as IncomingHttpHeaders, answer.payload);
  }

  return { ...test, port, bearer, byWire, byTheUsualWay };
}

function askByWire(port: number, agent: Agent, { method, url, headers = {}, body }: Asking): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = httpRequest({ host: '127.0.0.1', port, method, path: url, headers, agent }, (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => resolve(toAnswer(response.statusCode!, response.headers, text)));
    });
    asked.on('error', reject);
    asked.end(body);
  });
}

/** Everything that comes back for what is sent over one connection, which the other side is to close in the end. */
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

/** The lines of an answer's head, whatever their order, and the date apart. */
function readHead(answer: string) {
  const lines = answer.slice(0, answer.indexOf('\r\n\r\n')).toLowerCase().split('\r\n').sort();
  const date = lines.find((line) => line.startsWith('date: ')) ?? 'none';
  return { date: Date.parse(date.slice('date: '.length)), lines: lines.filter((line) => line !== date) };
}

/** Without what belongs to the connection, and with what is made anew for each answer blotted out. */
function toAnswer(status: number, all: IncomingHttpHeaders, text: string): Answer {
  const { date: _date, connection: _connection, 'keep-alive': _alive, 'set-cookie': cookies, ...headers } = all;
  const traceId = (JSON.parse(text) as { error?: { trace_id: string } }).error?.trace_id;
  const blot = (value: unknown) => (value === traceId && traceId !== 'mine' ? 'a trace id' : value);
  return {
    status,
    headers: {
      ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, blot(value)])),
      'set-cookie': [cookies ?? []].flat().map((cookie) => cookie.replace(/(fairline-guest)=[^;]+/, '$1=new')),
      // Trace ids differ in length.
      'content-length': traceId === undefined ? headers['content-length'] : 'of an error',
    },
    body: JSON.parse(text, (_name, value) => blot(value)),
  };
}

const check = '/api/queue/check/concert';
const status = '/api/queue/status/concert';

describe('the short way', () => {
  it('answers like the usual one, whoever asks and whatever comes of it', async () => {
    const { bearer, byWire, byTheUsualWay } = await listen();
    const askings: Asking[] = [
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
    ];
    for (const asking of askings) {
      const { wentTheUsualWay, ...answer } = await byWire(asking);
      expect({ asking, wentTheUsualWay, answer }).toEqual({
        asking,
        wentTheUsualWay: false,
        answer: await byTheUsualWay(asking),
      });
    }
  });

  it('says the same of itself and of the connection, down to each line of its head', async () => {
    const { port, bearer, byWire } = await listen();
    const user = bearer('first');
    for (const headers of [bearer('inside'), user]) await byWire({ method: 'POST', url: check, headers });
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
      const ask = async (path: string) => readHead(await talk(port, toText(path, user, more, version) + next));
      const short = await ask(status);
      const usual = await ask(`${status}?usual`);
      expect({ more, version, lines: short.lines }).toEqual({ more, version, lines: usual.lines });
      expect(short.lines).toContain('http/1.1 200 ok');
      expect(Math.abs(short.date - usual.date)).toBeLessThanOrEqual(60_000);
    }
  });

  it('answers what was asked in one go in the order in which it was asked', async () => {
    const { port, bearer, byWire } = await listen();
    const users = ['first', 'second', 'third'].map(bearer);
    for (const headers of users) await byWire({ method: 'POST', url: check, headers });
    const [first, second, third] = users as [Bearer, Bearer, Bearer];
    const usual = `${status}?usual`;
    const answers = await talk(
      port,
      toText(usual, third) +
        toText(status, second) +
        toText(check, third).replace('GET', 'POST') +
        toText(usual, second) +
        toText(status, first, 'connection: close\r\n'),
    );
    expect([...answers.matchAll(/"number":(\d+)/g)].map(([, number]) => Number(number))).toEqual([3, 2, 3, 2, 1]);
  });

  it('says what the operator says, in any script', async () => {
    const { bearer, byWire, byTheUsualWay, operator } = await listen();
    await byWire({ method: 'POST', url: check, headers: bearer('inside') });
    await byWire({ method: 'POST', url: check, headers: bearer('first') });
    await operator('PUT', '/api/admin/rooms/concert', {
      body: { message: { ko: '10분 늦게 시작합니다 — désolé 🎫' } },
    });
    const asking: Asking = { method: 'GET', url: status, headers: bearer('first') };
    const { wentTheUsualWay, ...answer } = await byWire(asking);
    expect(wentTheUsualWay).toBe(false);
    expect(JSON.stringify(answer.body)).toContain('10분 늦게 시작합니다 — désolé 🎫');
    expect(answer).toEqual(await byTheUsualWay(asking));
  });

  it('is not taken by whoever asks otherwise', async () => {
    const { bearer, byWire, byTheUsualWay } = await listen();
    await byWire({ method: 'POST', url: check, headers: bearer('first') });
    const json = { ...bearer('first'), 'content-type': 'application/json' };
    const askings: Asking[] = [
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
    ];
    for (const asking of askings) {
      const { wentTheUsualWay, ...answer } = await byWire(asking);
      expect({ asking, wentTheUsualWay, answer }).toEqual({
        asking,
        wentTheUsualWay: true,
        answer: await byTheUsualWay(asking),
      });
    }
  });

  it('gives a newcomer an identity, for https only where a trusted proxy says that it is', async () => {
    for (const [trusted, isSecure] of [
      ['127.0.0.1', true],
      ['10.0.0.1', false],
    ] as const) {
      const { byWire, byTheUsualWay } = await listen({ TRUST_PROXY: trusted });
      const headers = { 'x-forwarded-proto': 'http, https', 'x-forwarded-for': '203.0.113.7' };
      const asking: Asking = { method: 'POST', url: check, headers };
      const { wentTheUsualWay, ...answer } = await byWire(asking);
      expect(wentTheUsualWay).toBe(false);
      const cookies = answer.headers['set-cookie'] as string[];
      expect(cookies.map((cookie) => /; Secure/.test(cookie))).toEqual(cookies.map(() => isSecure));
      const usual = await byTheUsualWay(asking);
      expect((usual.headers['set-cookie'] as string[])[0]).toBe(cookies[0]);
    }
  });

  it('counts the joins of guests by the address that a trusted proxy names', async () => {
    const { byWire } = await listen({ TRUST_PROXY: '127.0.0.1', LIMIT_GUEST_JOIN_PER_IP: '1' });
    const from = (address: string): Asking => ({ method: 'POST', url: check, headers: { 'x-forwarded-for': address } });
    expect((await byWire(from('203.0.113.7'))).status).toBe(200);
    expect(await byWire(from('203.0.113.7'))).toMatchObject({
      status: 429,
      headers: { 'retry-after': expect.any(String) },
      body: { error: { code: 'RATE_LIMITED' } },
    });
    expect((await byWire(from('203.0.113.8'))).status).toBe(200);
  });

  it('is measured with the rest', async () => {
    const { bearer, byWire, anyone } = await listen();
    await byWire({ method: 'GET', url: status, headers: bearer('first') });
    await byWire({ method: 'GET', url: status, headers: { authorization: 'Bearer forged' } });
    const metrics = (await anyone('GET', '/metrics')).payload;
    for (const code of [200, 401]) {
      const labels = `method="GET",route="/api/queue/status/:eventId",status="${code}"`;
      expect(metrics).toContain(`fairline_http_request_seconds_count{${labels}} 1`);
    }
  });

  it('is closed before the server is, which has its own answer for whoever comes late', async () => {
    let late: Answer | undefined;
    const test = await listen({}, async () => {
      late = await test.byWire(asking);
    });
    const asking: Asking = { method: 'GET', url: status, headers: test.bearer('first') };
    expect((await test.byWire(asking)).wentTheUsualWay).toBe(false);
    await test.app.close();
    expect(late).toMatchObject({ status: 503 });
  });
});
