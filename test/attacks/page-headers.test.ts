/** Every page and every error tells the browser what it may not do with it; over TLS every response has HSTS. */
import { describe, expect, it } from 'vitest';
import { createTestApp } from '../support/test-app.ts';

const tls = { TRUST_PROXY: '127.0.0.1' };
const https = { 'x-forwarded-proto': 'https' };

const pages = ['/', '/events/x', '/me', '/sign-in', '/queue/x', '/queue/x?plain=1', '/vwr/x', '/draw/x', '/admin'];
const errors = ['/no-such-path', '/api/queue/status/nowhere', '/vwr/check/x/y.z', '/api/admin/rooms', '/queue/%zz'];

async function open(env: Record<string, string> = tls) {
  const test = await createTestApp(env);
  return {
    ...test,
    get: (url: string, headers = https as Record<string, string>) => test.anyone('GET', url, { headers }),
  };
}

describe('security headers', () => {
  it.each([...pages, ...errors])('are on %s', async (url) => {
    const { get } = await open();
    const { headers } = await get(url);
    expect(headers['strict-transport-security']).toBe('max-age=31536000');
    expect(headers['referrer-policy']).toMatch(/^(same-origin|no-referrer)$/);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['content-security-policy']).toMatch(/^default-src 'none';.*frame-ancestors 'none'/);
    expect(headers['permissions-policy']).toContain('camera=()');
    expect(headers['cross-origin-opener-policy']).toBe('same-origin-allow-popups');
  });

  it('include HSTS over TLS only, and as configured', async () => {
    const { get } = await open();
    expect((await get('/health', {})).headers['strict-transport-security']).toBeUndefined();
    expect((await get('/health')).headers['strict-transport-security']).toBe('max-age=31536000');
    const wide = await open({ ...tls, HSTS: 'subdomains' });
    expect((await wide.get('/health')).headers['strict-transport-security']).toContain('; includeSubDomains');
    const off = await open({ ...tls, HSTS: 'off' });
    expect((await off.get('/health')).headers['strict-transport-security']).toBeUndefined();
    const untrusted = await open({});
    expect((await untrusted.get('/health')).headers['strict-transport-security']).toBeUndefined();
  });

  it.each(['on', 'off'])('are the same on polls over TLS (fast path %s)', async (fastPath) => {
    const { app, operator, userToken } = await open({ ...tls, HTTP_FAST_PATH: fastPath });
    await operator('PUT', '/api/admin/rooms/concert', { body: { maxActive: 0 } });
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    const headers = { ...https, authorization: `Bearer ${userToken('mina')}` };
    const poll = await fetch(`${url}/api/queue/status/concert`, { headers });
    expect(poll.status).toBe(200);
    expect(poll.headers.get('strict-transport-security')).toBe('max-age=31536000');
    expect(poll.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    const lost = await fetch(`${url}/api/queue/status/nowhere`, { headers });
    expect([lost.status, lost.headers.get('referrer-policy')]).toEqual([404, 'same-origin']);
  });
});
