import { once } from 'node:events';
import { request as sendRequest } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startGate } from '../../../src/compose/gate-process.ts';
import { readGateConfig } from '../../../src/config/read-config.ts';
import { startSite } from '../../support/site.ts';
import { secrets } from '../../support/test-app.ts';
import { until } from '../../support/until.ts';
import { ask, createVisitor, runGate, writeRules } from './run-gate.ts';

const SEATS = '/api/seats/events/concert';

async function before(answer?: Parameters<typeof startSite>[0], env: Record<string, string> = {}, rules?: object) {
  const site = await startSite(answer);
  return { site, ...(await runGate({ GATE_UPSTREAM: site.url, ...env }, rules)) };
}

describe('a gate in front of a site', () => {
  it('refuses requests without tokens and passes those with', async () => {
    const { url, site, hasWaited } = await before();
    const refused = await ask(url, SEATS);
    expect(refused).toMatchObject({ status: 403, headers: { 'cache-control': 'no-store' } });
    expect(refused.json).toMatchObject({ error: { code: 'VWR_REQUIRED' }, redirectTo: '/vwr/concert' });
    expect(await ask(url, '/events/concert')).toMatchObject({
      status: 302,
      headers: { location: '/vwr/concert?to=%2Fevents%2Fconcert' },
    });
    const headers = { referer: `${url}/events/concert?row=4` };
    const posted = await ask(url, SEATS, { method: 'POST', headers });
    expect(posted.json).toMatchObject({ redirectTo: '/vwr/concert?to=%2Fevents%2Fconcert%3Frow%3D4' });
    expect(site.asked).toEqual([]);
    const passed = await ask(url, `${SEATS}?row=4`, { headers: hasWaited });
    expect(passed).toMatchObject({ status: 200, headers: { 'x-from': 'site' } });
    expect(passed.json).toMatchObject({ method: 'GET', url: `${SEATS}?row=4` });
  });

  it('forwards the normalized path and refuses an ambiguous one', async () => {
    const { url, site, hasWaited } = await before();
    expect((await ask(url, '/api/%73eats/events/con%63ert', { headers: hasWaited })).json.url).toBe(SEATS);
    for (const path of ['/x/../api/seats', '//api/seats', '/api%2fseats', '/api/seats;x', 'http://elsewhere/']) {
      expect(await ask(url, path, { headers: hasWaited })).toMatchObject({ status: 400 });
    }
    expect(site.asked).toHaveLength(1);
  });

  it('responds to HEAD without a body, also when it refuses', async () => {
    const { url } = await before();
    expect(await ask(url, SEATS, { method: 'HEAD' })).toMatchObject({ status: 403, text: '' });
    expect(await ask(url, '/', { method: 'HEAD' })).toMatchObject({ status: 200, text: '' });
  });

  it('strips spoofed headers and sets X-Forwarded headers', async () => {
    const { url } = await before();
    const headers = {
      'X-User-Id': 'admin',
      X_User_Id: 'admin',
      'X-CloudFront-Verified': 'true',
      'X-Forwarded-For': '1.2.3.4',
      'X-Forwarded-Host': 'evil.example',
      'X-Forwarded-Prefix': '/admin',
      Forwarded: 'for=1.2.3.4',
      'X-Real-IP': '1.2.3.4',
      'True-Client-IP': '1.2.3.4',
      'X-HTTP-Method-Override': 'DELETE',
      'X-Original-URL': '/api/seats',
      'X-Rewrite-URL': '/api/seats',
      'X-Fairline-Visitor': 'admin',
      Connection: 'keep-alive, X-Secret-Hop',
      'X-Secret-Hop': '1',
      TE: 'trailers',
      'Proxy-Authorization': 'Basic x',
      'X-Harmless': 'kept',
      Host: 'shop.example',
    };
    const { headers: seen } = (await ask(url, '/', { headers })).json;
    expect(seen).toEqual({
      host: 'shop.example',
      'x-harmless': 'kept',
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-host': 'shop.example',
      'x-forwarded-proto': 'http',
      connection: 'keep-alive',
    });
  });

  it('trusts X-Forwarded headers from TRUST_PROXY, and the CDN that sends the secret', async () => {
    const secret = 'cdn-secret-of-the-tests-0123456789abcdef';
    const { url } = await before(undefined, { TRUST_PROXY: '127.0.0.0/8', GATE_CDN_SECRET: secret });
    const headers = {
      'X-Forwarded-For': '203.0.113.7',
      'X-Forwarded-Proto': 'https',
      'X-Real-IP': '1.2.3.4',
      'X-CloudFront-Verified': secret,
    };
    expect((await ask(url, SEATS, { headers })).json.headers).toMatchObject({
      'x-forwarded-for': '203.0.113.7, 127.0.0.1',
      'x-forwarded-proto': 'https',
      'x-cloudfront-verified': secret,
    });
    expect((await ask(url, SEATS, { headers: { 'X-CloudFront-Verified': 'guess' } })).status).toBe(403);
  });

  it('sends the visitor’s id to the site only if configured, and never the one a visitor claims', async () => {
    const spoofed = { 'x-user-id': 'admin' };
    const silent = await before();
    const headers = { ...silent.hasWaited, ...spoofed };
    expect((await ask(silent.url, SEATS, { headers })).json.headers).not.toHaveProperty('x-user-id');
    const telling = await before(undefined, { GATE_IDENTITY_HEADER: 'x-user-id' });
    expect((await ask(telling.url, SEATS, { headers })).json.headers['x-user-id']).toBe('mina');
    expect((await ask(telling.url, '/', { headers: spoofed })).json.headers).not.toHaveProperty('x-user-id');
  });

  it('streams both ways: the site receives the start of a body before the visitor has sent its end', async () => {
    const { url, hasWaited } = await before((request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' });
      request.on('data', (chunk) => response.write(String(chunk).toUpperCase()));
      request.on('end', () => response.end('.'));
    });
    const { hostname, port } = new URL(url);
    const sent = sendRequest({ hostname, port, path: '/upload', method: 'POST', headers: hasWaited, agent: false });
    let received = '';
    sent.on('response', (response) => response.setEncoding('utf8').on('data', (chunk) => (received += chunk)));
    sent.write('one');
    await until('the first chunk', () => received === 'ONE');
    sent.write('two');
    await until('the second chunk', () => received === 'ONETWO');
    sent.end();
    await until('the end', () => received === 'ONETWO.');
  });

  it('keeps the content-length of a request and repeated response headers', async () => {
    const { url } = await before((request, response) => {
      response.setHeader('set-cookie', ['a=1', 'b=2']);
      response.end(`${request.headers['content-length']} ${request.headers['transfer-encoding']}`);
    });
    const headers = { 'content-length': '5' };
    const { text, headers: answered } = await ask(url, '/', { method: 'POST', body: 'hello', headers });
    expect(text).toBe('5 undefined');
    expect(answered['set-cookie']).toEqual(['a=1', 'b=2']);
  });

  it('closes the upstream connection when the visitor disconnects', async () => {
    let closed = 0;
    const { url } = await before((_request, response) => {
      response.write('and so on');
      response.on('close', () => (closed += 1));
    });
    const hangingUp = new AbortController();
    const response = await fetch(url, { signal: hangingUp.signal });
    await response.body!.getReader().read();
    hangingUp.abort();
    await until('the site to see the connection close', () => closed === 1);
  });

  it('forwards a response that arrives in many chunks at once', async () => {
    const parts = Array.from({ length: 200 }, (_, i) => `${i},`.repeat(i));
    const { url } = await before((_request, response) => {
      // Corks the socket, not the response: Node 22 and 24 lose chunks that are written to a corked response.
      const socket = response.socket!;
      socket.cork();
      for (const part of parts) response.write(part);
      response.end();
      socket.uncork();
    });
    expect(await (await fetch(url)).text()).toBe(parts.join(''));
  });

  it('forwards the head of a response before its body arrives', async () => {
    let end = () => {};
    const { url } = await before((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.flushHeaders();
      end = () => response.end('data: 1\n\n');
    });
    const response = await fetch(url);
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    end();
    expect(await response.text()).toBe('data: 1\n\n');
  });

  it('applies backpressure: reads no more from the site than the visitor reads', async () => {
    const [chunk, chunks] = [Buffer.alloc(256 * 1024), 400];
    let sent = 0;
    const { url } = await before(async (_request, response) => {
      for (; sent < chunks; sent += 1) if (!response.write(chunk)) await once(response, 'drain');
      response.end();
    });
    const response = await fetch(url);
    // Without backpressure all chunks would be sent at once.
    for (let before = -1; sent !== before; await new Promise((resolve) => setTimeout(resolve, 200))) before = sent;
    expect(sent).toBeLessThan(chunks);
    expect((await response.arrayBuffer()).byteLength).toBe(chunk.length * chunks);
  });

  it('aborts the response to the visitor if the site aborts it, so a truncated response does not look complete', async () => {
    const { url } = await before((_request, response) => {
      response.writeHead(200);
      response.write('half', () => response.destroy());
    });
    const response = await fetch(url);
    await expect(response.text()).rejects.toThrow();
  });

  it('reports a site that is down in JSON, or to browsers as a page in their language', async () => {
    const site = await startSite();
    site.server.close();
    const { url } = await runGate({ GATE_UPSTREAM: site.url });
    const down = await ask(url, '/');
    expect(down).toMatchObject({ status: 502, json: { error: { code: 'UPSTREAM_UNREACHABLE' } } });
    const page = await ask(url, '/', { headers: { accept: 'text/html', 'accept-language': 'ko-KR,ko;q=0.9' } });
    expect(page).toMatchObject({ status: 502, headers: { 'content-type': 'text/html; charset=utf-8' } });
    expect(page.text).toMatch(/<html lang="ko">.*잠시 후 다시 시도해 주세요.*Please try again/);
    expect((await ask(url, '/', { headers: { accept: 'text/html' } })).text).toMatch(/<html lang="en">/);
  });

  it('reports a site that takes too long', async () => {
    const { url } = await before(() => {}, { GATE_UPSTREAM_TIMEOUT_MS: '100' });
    expect(await ask(url, '/')).toMatchObject({ status: 504, json: { error: { code: 'UPSTREAM_TIMEOUT' } } });
  });

  it('retries if the site closed an idle keep-alive connection', async () => {
    const site = await startSite();
    const { url } = await runGate({ GATE_UPSTREAM: site.url });
    for (let i = 0; i < 20; i += 1) {
      expect((await ask(url, '/')).status).toBe(200);
      site.server.closeAllConnections();
    }
  });

  it('refuses request smuggling', async () => {
    const { url, site } = await before();
    const smuggled = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n';
    expect(await sendRaw(url, `${smuggled}GET /api/seats HTTP/1.1\r\nHost: x\r\n\r\n`)).toMatch(/^HTTP\/1\.1 400/);
    expect(site.asked).toEqual([]);
  });
});

describe('WebSockets', () => {
  const upgrade = (path: string, headers: Record<string, string> = {}, protocol = 'websocket') => {
    const lines = Object.entries({ Host: 'x', Connection: 'Upgrade', Upgrade: protocol, ...headers });
    return `GET ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}`).join('\r\n')}\r\n\r\n`;
  };

  async function beforeSocket() {
    const started = await before();
    started.site.server.on('upgrade', (request, socket) => {
      started.site.asked.push({ method: request.method!, url: request.url!, headers: request.headers });
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
      socket.on('data', (chunk: Buffer) => socket.write(chunk.toString().toUpperCase()));
      socket.on('error', () => {});
      socket.on('end', () => socket.end());
    });
    return started;
  }

  it('are forwarded both ways if the request passes', async () => {
    const { url, site, hasWaited } = await beforeSocket();
    const socket = openSocket(url);
    let received = '';
    socket.on('data', (chunk) => (received += chunk));
    socket.write(upgrade(SEATS, { ...hasWaited, 'X-User-Id': 'admin' }));
    await until('the upgrade', () => received.startsWith('HTTP/1.1 101'));
    socket.write('hello');
    await until('an echo', () => received.endsWith('HELLO'));
    expect(site.asked[0]?.headers).toMatchObject({ upgrade: 'websocket' });
    expect(site.asked[0]?.headers).not.toHaveProperty('x-user-id');
  });

  it('are refused like any other request', async () => {
    const { url, site } = await beforeSocket();
    expect(await sendRaw(url, upgrade(SEATS))).toMatch(/^HTTP\/1\.1 403[\s\S]*VWR_REQUIRED/);
    expect(await sendRaw(url, upgrade('/x/../api/seats'))).toMatch(/^HTTP\/1\.1 400/);
    expect(site.asked).toEqual([]);
  });

  it('are the only upgrade that is accepted', async () => {
    const { url, site } = await beforeSocket();
    expect(await sendRaw(url, upgrade('/', {}, 'h2c'))).toMatch(/^HTTP\/1\.1 400/);
    expect(site.asked).toEqual([]);
  });

  it('get an HTTP response if the site refuses the upgrade or is down', async () => {
    const { url, site } = await before((_request, response) => response.writeHead(404).end('none here'));
    expect(await sendRaw(url, upgrade('/'))).toMatch(/^HTTP\/1\.1 404[\s\S]*none here/);
    site.server.close();
    site.server.closeAllConnections();
    expect(await sendRaw(url, upgrade('/'))).toMatch(/^HTTP\/1\.1 502/);
  });
});

describe('a gate with GATE_LINE_URL', () => {
  const strictRules = { rules: [{ path: '/buy/{eventId}', require: 'entry', strict: true }], otherwise: 'pass' };

  it('forwards the line’s paths to it, whatever the rules say', async () => {
    const line = await startSite();
    const rules = { rules: [{ path: '/**', require: 'entry', event: { fixed: 'concert' } }], otherwise: 'deny' };
    const { url, site } = await before(undefined, { GATE_LINE_URL: line.url }, rules);
    for (const path of [
      '/vwr/concert',
      '/queue/concert',
      '/api/queue/check/concert',
      '/events/concert/tickets/waiting',
      '/draw/concert',
      '/draw/assets/draw.js',
      '/api/rooms/concert/draw',
      '/api/v1/rooms/concert/draw/entries',
    ]) {
      expect((await ask(url, path)).status).toBe(200);
    }
    expect((await ask(url, '/')).status).toBe(403);
    expect(site.asked).toEqual([]);
  });

  it('checks with the line that the admission has not ended, if the rule is strict', async () => {
    const verdict = { status: 200 };
    const line = await startSite((_request, response) => response.writeHead(verdict.status).end('{}'));
    const { url, hasWaited } = await before(undefined, { GATE_LINE_URL: line.url }, strictRules);
    const status = async () => (await ask(url, '/buy/concert', { headers: hasWaited })).status;
    expect(await status()).toBe(200);
    verdict.status = 403;
    expect(await status()).toBe(403);
    // The URL is not an instance: refuse.
    verdict.status = 404;
    expect(await status()).toBe(403);
    // The line is unavailable: admitted visitors pass.
    verdict.status = 503;
    expect(await status()).toBe(200);
    expect(line.asked.find(({ url: asked }) => asked === '/gate/verify?eventId=concert')).toBeDefined();
  });

  it('knows by X-Forwarded-Host of a trusted proxy alone under which name a visitor knows the site', async () => {
    const asked = async (env: Record<string, string>) => {
      const { url } = await before(undefined, { GATE_VWR_EVENTS: 'all', ...env });
      const headers = { referer: 'https://shop.example/cart', 'x-forwarded-host': 'shop.example' };
      return (await ask(url, SEATS, { method: 'POST', headers })).json.redirectTo;
    };
    expect(await asked({ TRUST_PROXY: '127.0.0.1' })).toBe('/vwr/concert?to=%2Fcart');
    expect(await asked({})).toBe('/vwr/concert');
  });

  it('follows which events have tier 1 switched on', async () => {
    const active = { events: ['concert'] };
    const line = await startSite((request, response) => {
      if (request.url === '/vwr-active.json') response.end(JSON.stringify({ activeEvents: active.events }));
      else response.writeHead(404).end();
    });
    const { url } = await before(undefined, { GATE_LINE_URL: line.url });
    const location = async () => (await ask(url, '/events/other')).headers.location;
    await until('the gate to see that tier 1 is off for this event', async () => (await location()) === undefined);
    active.events = ['other'];
    await until('the gate to see that it is on', async () => (await location())?.startsWith('/vwr/other?'));
  });
});

describe('starting a gate', () => {
  it('names every missing or invalid setting', async () => {
    const start = async (env: Record<string, string>) => startGate(readGateConfig({ PORT: '0', ...env }, {}), 'test');
    await expect(start({})).rejects.toThrow(
      /GATE_UPSTREAM.*is not set[\s\S]*QUEUE_ENTRY_TOKEN_SECRET[\s\S]*AUTH_JWT_SECRET[\s\S]*GUEST_SECRET[\s\S]*VWR_TOKEN_SECRET/,
    );
    const upstream = { ...secrets, GATE_UPSTREAM: 'http://127.0.0.1:1' };
    const strict = { rules: [{ path: '/{eventId}', require: 'entry', strict: true }], otherwise: 'pass' };
    await expect(start({ ...upstream, GATE_RULES_FILE: writeRules(strict) })).rejects.toThrow(/GATE_LINE_URL.*strict/);
    const wrong = { rules: [{ path: 'seats', require: 'entry' }], otherwise: 'pass' };
    await expect(start({ ...upstream, GATE_RULES_FILE: writeRules(wrong) })).rejects.toThrow(
      /rules\[0\]\.path must be/,
    );
    await expect(start({ ...upstream, GATE_RULES_FILE: '/nowhere.json' })).rejects.toThrow(/nowhere\.json.*ENOENT/);
    await expect(start({ ...upstream, TRUST_PROXY: '10.0.0.0/99' })).rejects.toThrow(/TRUST_PROXY=10\.0\.0\.0\/99/);
    await expect(start({ GATE_UPSTREAM: 'http://a/b' })).rejects.toThrow(
      /GATE_UPSTREAM=http:\/\/a\(not shown\): expected/,
    );
  });

  it('needs no secret that no rule requires', async () => {
    const site = await startSite();
    const rules = { rules: [{ path: '/shop/{eventId}', require: 'vwr', answer: 'page' }], otherwise: 'pass' };
    const env = {
      GATE_UPSTREAM: site.url,
      VWR_TOKEN_SECRET: secrets.VWR_TOKEN_SECRET,
      GATE_RULES_FILE: writeRules(rules),
    };
    const gate = await startGate(readGateConfig({ PORT: '0', GATE_VWR_EVENTS: 'all', ...env }, {}), 'test');
    onTestFinished(() => gate.stop());
    expect((await ask(gate.url, '/shop/concert')).headers.location).toBe('/vwr/concert?to=%2Fshop%2Fconcert');
    expect((await ask(gate.url, '/shop/concert', { headers: createVisitor().hasWaited })).status).toBe(200);
  });
});

function openSocket(url: string) {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.setEncoding('utf8');
  onTestFinished(() => {
    socket.destroy();
  });
  return socket;
}

/** Everything received until the connection closes. */
async function sendRaw(url: string, text: string): Promise<string> {
  const socket = openSocket(url);
  let received = '';
  socket.on('data', (chunk) => (received += chunk));
  socket.write(text);
  await once(socket, 'close');
  return received;
}
