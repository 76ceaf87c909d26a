/** Slow uploads, and one address that opens as much as it can. */
import { describe, expect, it } from 'vitest';
import { ask, runGate } from '../gate/proxy/run-gate.ts';
import { openRaw, sendRaw, toRequest } from '../support/raw-http.ts';
import { startSite } from '../support/site.ts';
import { until } from '../support/until.ts';

const HOST = 'Host: shop.example';
const NO_LIMITS = { LIMIT_GATE_REQUESTS_PER_IP: '0', LIMIT_GATE_CONNECTIONS_PER_IP: '0' };
/** The start of an upload that stays incomplete. */
const SLOW = toRequest('POST /upload', [HOST, 'Content-Length: 1000'], 'x');
const GET = toRequest('GET /', [HOST]);

async function startBoth(env: Record<string, string>, answer?: Parameters<typeof startSite>[0]) {
  const site = await startSite(answer);
  return { site, ...(await runGate({ GATE_UPSTREAM: site.url, ...env })) };
}

describe('slow uploads', () => {
  it('of 1,300 connections leave room for pages and forms, and those beyond their share get 503', async () => {
    const { url } = await startBoth(NO_LIMITS);
    const uploads = Array.from({ length: 1_300 }, () => openRaw(url));
    for (const upload of uploads) upload.write(SLOW);
    const answered = () => uploads.flatMap((upload) => upload.responses());
    await until('those beyond the share to be refused', () => answered().length === 1_300 - 256);
    for (const { status, json, headers } of answered()) {
      expect([status, json.error.code, headers['retry-after']]).toEqual([503, 'GATE_BUSY', '10']);
    }
    expect((await ask(url, '/')).status).toBe(200);
    const form = await ask(url, '/', { method: 'POST', body: 'a=1', headers: { 'content-length': '3' } });
    expect([form.status, form.json.body]).toEqual([200, 'a=1']);
    for (const upload of uploads) upload.socket.destroy();
    const large = 'y'.repeat(100_000);
    await until('room for a large upload', async () => {
      const response = await sendRaw(url, toRequest('POST /', [HOST, 'Content-Length: 100000'], large));
      return response.status === 200 && response.body.includes(large);
    });
  });

  it('get 408 if too little arrives, in our form', async () => {
    const { url } = await startBoth({ GATE_UPLOAD_TIMEOUT_MS: '300' });
    const response = await sendRaw(url, SLOW);
    expect([response.status, response.json.error.code]).toEqual([408, 'REQUEST_TIMEOUT']);
    expect(response.json.error.trace_id).toBe(response.headers['x-request-id']);
  });

  it('are not taken for a slow site: its time starts when the upload is complete', async () => {
    const { url, site } = await startBoth({ GATE_UPSTREAM_TIMEOUT_MS: '200' });
    const connection = openRaw(url);
    connection.write(toRequest('POST /upload', [HOST, 'Content-Length: 40000']));
    const startedAt = performance.now();
    connection.write('x'.repeat(30_000));
    await until('the site to be asked', () => site.asked.length === 1);
    await until('the timeout to pass', () => performance.now() - startedAt > 600);
    expect(connection.received()).toBe('');
    connection.write('x'.repeat(10_000));
    expect((await connection.first()).status).toBe(200);
  });

  it('that are complete wait for the site no longer than other requests', async () => {
    const { url } = await startBoth({ GATE_UPSTREAM_TIMEOUT_MS: '200' }, (request) => void request.resume());
    const body = 'x'.repeat(30_000);
    expect((await ask(url, '/upload', { method: 'POST', body })).status).toBe(504);
  });

  it('to a site that does not read them end with 504', async () => {
    const { url } = await startBoth({ GATE_UPLOAD_TIMEOUT_MS: '300' }, (request) => void request.pause());
    const connection = openRaw(url);
    connection.write(toRequest('POST /upload', [HOST, 'Content-Length: 99000000']));
    connection.write('x'.repeat(98_000_000));
    expect((await connection.first()).status).toBe(504);
  });
});

describe('one address', () => {
  it('has a limited number of requests in progress; others are served', async () => {
    const { url } = await startBoth({ LIMIT_GATE_REQUESTS_PER_IP: '20' });
    const uploads = Array.from({ length: 20 }, () => openRaw(url, { from: '127.0.0.2' }));
    for (const upload of uploads) upload.write(SLOW);
    const refused = await until('the limit', async () => {
      const response = await sendRaw(url, GET, { from: '127.0.0.2' });
      return response.status !== 200 && response;
    });
    expect([refused.status, refused.json.error.code, refused.headers['retry-after']]).toEqual([
      429,
      'RATE_LIMITED',
      '2',
    ]);
    expect((await sendRaw(url, GET, { from: '127.0.0.3' })).status).toBe(200);
    uploads[0]!.socket.destroy();
    await until('room', async () => (await sendRaw(url, GET, { from: '127.0.0.2' })).status === 200);
  });

  it('is the one that a trusted proxy names, and a /64 for IPv6', async () => {
    const { url } = await startBoth({ LIMIT_GATE_REQUESTS_PER_IP: '1', TRUST_PROXY: '127.0.0.1' });
    const as = (address: string) => `X-Forwarded-For: ${address}`;
    const upload = openRaw(url);
    upload.write(toRequest('POST /upload', [HOST, 'Content-Length: 1000', as('6.6.6.6, 2001:db8::1')], 'x'));
    const statusFor = async (address: string) => (await sendRaw(url, toRequest('GET /', [HOST, as(address)]))).status;
    await until('the limit', async () => (await statusFor('2001:db8::2')) === 429);
    expect(await statusFor('2001:db8:0:1::1')).toBe(200);
    expect(await statusFor('6.6.6.6')).toBe(200);
  });

  it('is the peer, whatever it claims, if the peer is not trusted', async () => {
    const { url } = await startBoth({ LIMIT_GATE_REQUESTS_PER_IP: '1' });
    const upload = openRaw(url);
    upload.write(SLOW);
    await until('the limit', async () => {
      const { status } = await sendRaw(url, toRequest('GET /', [HOST, `X-Forwarded-For: 6.6.6.${Math.random()}`]));
      return status === 429;
    });
  });

  it('has a limited number of connections; others are served', async () => {
    const { url, site } = await startBoth({ LIMIT_GATE_CONNECTIONS_PER_IP: '10' });
    const idle = Array.from({ length: 10 }, () => openRaw(url, { from: '127.0.0.2' }));
    await until('the connections', () => idle.every(({ socket }) => socket.readyState === 'open'));
    const refused = await until('the limit', async () => {
      const response = await sendRaw(url, GET, { from: '127.0.0.2' });
      return response.status !== 200 && response;
    });
    expect([refused.status, refused.json.error.code]).toEqual([429, 'RATE_LIMITED']);
    const before = site.asked.length;
    for (let i = 0; i < 20; i += 1) await sendRaw(url, GET, { from: '127.0.0.2' });
    expect(site.asked.length).toBe(before);
    expect((await sendRaw(url, GET, { from: '127.0.0.3' })).status).toBe(200);
  });

  it('gets its room back when a connection with pipelined requests breaks', async () => {
    const { url, site } = await startBoth({ LIMIT_GATE_REQUESTS_PER_IP: '3' }, (request, response) => {
      // The first never gets a response, so the others cannot be sent, and one of them is too large to be buffered.
      if (request.url === '/large') response.end(Buffer.alloc(8 * 1024 * 1024));
      else if (request.url !== '/never') response.end();
    });
    let closed = 0;
    site.server.on('request', (_request, response) => response.once('close', () => (closed += 1)));
    const connection = openRaw(url);
    const targets = ['/never', '/large', '/never'];
    connection.write(targets.map((target) => toRequest(`GET ${target}`, [HOST])).join(''));
    await until('the site to be asked', () => site.asked.length === 3);
    connection.socket.destroy();
    await until('the site to see all of them end', () => closed === 3);
    const three = await Promise.all(Array.from({ length: 3 }, () => ask(url, '/')));
    expect(three.map(({ status }) => status)).toEqual([200, 200, 200]);
  });
});
