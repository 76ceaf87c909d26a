/** A method that an address does not have is 405 with the methods that it has, whatever else the request carries. */
import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { runApp } from '../support/running-app.ts';
import { createTestApp } from '../support/test-app.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'QUERY', 'PROPFIND'];

interface Answer {
  status: number | undefined;
  allow: string | undefined;
  code: unknown;
}

async function ask(url: string, method: string, headers: Record<string, string> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers }, (response) => {
      let body = '';
      response.on('data', (chunk) => {
        body += chunk;
      });
      response.on('end', () => {
        const code = body.startsWith('{') ? JSON.parse(body).error?.code : undefined;
        resolve({ status: response.statusCode, allow: response.headers.allow, code });
      });
    });
    sent.on('error', reject);
    sent.end();
  });
}

describe('a wrong method', () => {
  it('is 405 at every address, and the methods of the address are in Allow', async () => {
    const { app } = await createTestApp();
    await app.ready();
    const methodsOf = new Map<string, Set<string>>();
    for (const { method, url } of app.routeList) {
      methodsOf.set(url, (methodsOf.get(url) ?? new Set()).add(method));
    }
    for (const [url, methods] of methodsOf) {
      const wrong = METHODS.find((method) => !methods.has(method));
      if (wrong === undefined) continue;
      const { statusCode, headers, body } = await app.inject({
        method: wrong as 'GET',
        url: url.replace(/:\w+/g, 'x').replace('*', 'x'),
      });
      expect([url, statusCode, body]).toEqual([url, 405, expect.stringContaining('METHOD_NOT_ALLOWED')]);
      expect([url, String(headers.allow).split(', ').sort()]).toEqual([url, [...methods].sort()]);
    }
  });

  it('is 405 over HTTP too, at addresses of the fast path and at others', async () => {
    const { url } = await runApp();
    const wrong = { status: 405, code: 'METHOD_NOT_ALLOWED' };
    // On the fast path.
    expect(await ask(`${url}/api/queue/check/concert`, 'GET')).toEqual({ ...wrong, allow: 'POST' });
    expect(await ask(`${url}/api/v1/queue/status/concert`, 'POST')).toEqual({ ...wrong, allow: 'GET, HEAD' });
    // At the framework, with a query, an encoded path, and a body that no endpoint would accept.
    expect(await ask(`${url}/api/queue/leave/concert?x=1`, 'PUT')).toEqual({ ...wrong, allow: 'POST' });
    expect(await ask(`${url}/%61pi/admin/rooms`, 'POST')).toEqual({ ...wrong, allow: 'GET, HEAD' });
    const xml = { 'content-type': 'application/xml', 'content-length': '0' };
    expect(await ask(`${url}/health`, 'POST', xml)).toEqual({ ...wrong, allow: 'GET, HEAD' });
    // QUERY demands a content type; that comes later.
    expect(await ask(`${url}/health`, 'QUERY')).toEqual({ ...wrong, allow: 'GET, HEAD' });
  });

  it('is 404 at an address that does not exist', async () => {
    const { url } = await runApp();
    for (const path of ['/nothing', '/api/queue/check', '/api/queue/check/concert/x', '/health/', '//health']) {
      expect([path, (await ask(`${url}${path}`, 'PUT')).status]).toEqual([path, 404]);
    }
  });

  it('of another site is refused as such before', async () => {
    const { url } = await runApp();
    const { status, code } = await ask(`${url}/health`, 'POST', { 'sec-fetch-site': 'cross-site' });
    expect([status, code]).toEqual([403, 'CROSS_SITE']);
  });
});
