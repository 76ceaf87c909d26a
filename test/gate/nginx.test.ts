/** The configuration in docs/guides/gate-nginx.md and deploy/nginx/gate.conf, in a real nginx in front of a plain site. */
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createTokenSigner } from '../../src/platform/jwt/tokens.ts';
import { freePort } from '../support/free-port.ts';
import { describeWithNginx, startNginx } from '../support/nginx-server.ts';
import { runApp } from '../support/running-app.ts';
import { startSite } from '../support/site.ts';
import { secrets } from '../support/test-app.ts';
import { ask } from './proxy/run-gate.ts';

const SEATS = '/api/seats/events/concert';
const config = readFileSync(join(import.meta.dirname, '../../deploy/nginx/gate.conf'), 'utf8');

async function startAll(between: (fairline: string) => Promise<string> = async (fairline) => fairline) {
  const fairline = await runApp({ env: secrets, room: { maxActive: 1 } });
  await fairline.context.line.rooms.putRoom('festival', {});
  await fairline.context.tier1.switching.activate('festival');
  const site = await startSite();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const addresses = {
    '127.0.0.1:8080': `127.0.0.1:${port}`,
    '127.0.0.1:3000': new URL(await between(fairline.url)).host,
    '127.0.0.1:8081': new URL(site.url).host,
  };
  await startNginx(
    Object.entries(addresses).reduce((text, [shown, used]) => text.replace(shown, used), config),
    url,
  );
  site.asked.length = 0;
  return { url, site, fairline };
}

const sign = createTokenSigner({ secret: secrets.AUTH_JWT_SECRET, typ: 'JWT' });
const signIn = (user: string) => {
  const iat = Math.floor(Date.now() / 1000);
  return { authorization: `Bearer ${sign({ sub: user, iat, exp: iat + 3600 })}` };
};

describeWithNginx('nginx with the gate', () => {
  it('refuses requests without a token and passes admitted visitors', async () => {
    const { url, site } = await startAll();
    const refused = await ask(url, SEATS, { headers: signIn('mina') });
    expect(refused).toMatchObject({ status: 403, headers: { 'cache-control': 'no-store' } });
    expect(refused.json).toEqual({ error: { code: 'ENTRY_TOKEN_REQUIRED' }, redirectTo: '/queue/concert' });
    expect(await ask(url, '/events/festival')).toMatchObject({
      status: 302,
      headers: { location: '/vwr/festival?to=%2Fevents%2Ffestival' },
    });
    const fromForm = { ...signIn('mina'), referer: `${url}/events/concert?row=4` };
    expect((await ask(url, SEATS, { method: 'POST', headers: fromForm })).json).toMatchObject({
      redirectTo: '/queue/concert?to=%2Fevents%2Fconcert%3Frow%3D4',
    });
    expect(site.asked).toEqual([]);

    const joined = await ask(url, '/api/queue/check/concert', { method: 'POST', headers: signIn('mina') });
    const token: string = joined.json.entryToken;
    const headers = { ...signIn('mina'), 'x-queue-entry-token': token };
    const passed = await ask(url, `${SEATS}?row=1`, { headers: { ...headers, 'x-user-id': 'admin' } });
    expect(passed.json).toMatchObject({ method: 'GET', url: `${SEATS}?row=1`, headers: { 'x-user-id': 'mina' } });
    const posted = await ask(url, '/api/reservations', { method: 'POST', headers, body: 'seat 4' });
    expect(posted.json).toMatchObject({ method: 'POST', body: 'seat 4' });

    const stolen = await ask(url, SEATS, { headers: { ...signIn('jun'), 'x-queue-entry-token': token } });
    expect(stolen.json).toMatchObject({ error: { code: 'ENTRY_TOKEN_INVALID' } });
  });

  it('cannot be bypassed with paths, methods or headers', async () => {
    const { url, site } = await startAll();
    for (const path of [
      '//api/seats/1',
      '/vwr/../api/seats/1',
      '/vwr/%2e%2e/api/seats/1',
      '/api%2fseats/1',
      '/api/seats;/1',
      '/API/Seats/1',
    ]) {
      expect((await ask(url, path)).status).toBe(403);
    }
    for (const method of ['HEAD', 'OPTIONS', 'DELETE', 'PROPFIND']) {
      expect((await ask(url, SEATS, { method })).status).toBe(403);
    }
    const described = {
      'x-original-uri': '/health',
      'x-forwarded-uri': '/health',
      'x-forwarded-method': 'GET',
      'x-cloudfront-verified': 'true',
    };
    expect((await ask(url, SEATS, { headers: described })).status).toBe(403);
    expect((await ask(url, '/_gate')).status).toBe(404);
    expect(site.asked).toEqual([]);
  });

  it('keeps its connections to Fairline open across checks', async () => {
    let opened = 0;
    const { url, site } = await startAll(async (fairline) => {
      const { hostname, port } = new URL(fairline);
      const server = createServer((socket) => {
        opened += 1;
        const onward = connect(Number(port), hostname);
        socket.on('error', () => onward.destroy());
        onward.on('error', () => socket.destroy());
        socket.pipe(onward).pipe(socket);
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      onTestFinished(() => void server.close());
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    });
    opened = 0;
    for (let n = 0; n < 20; n += 1) expect((await ask(url, '/public')).status).toBe(200);
    expect([site.asked.length, opened <= 2]).toEqual([20, true]);
  });

  it('passes nobody while Fairline is down', async () => {
    const { url, site, fairline } = await startAll();
    await fairline.stop();
    expect((await ask(url, SEATS)).status).toBe(500);
    expect(site.asked).toEqual([]);
  });
});
