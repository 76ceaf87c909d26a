/** Users' tokens over HTTP: how long they may be, and how the settings of an HS512 site count. */
import { createHmac, generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SignJWT } from 'jose';
import { expect, it } from 'vitest';
import { ask, runGate } from '../../gate/proxy/run-gate.ts';
import { runApp } from '../../support/running-app.ts';
import { startSite } from '../../support/site.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { secrets } from '../../support/test-app.ts';

const now = () => Math.floor(Date.now() / 1000);

it('accepts tokens of 8 KB on both paths and through `fairline gate`, and answers longer headers with 431', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const path = join(tempFolder(), 'keys.json');
  writeFileSync(path, JSON.stringify({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k' }] }));
  const sign = (roles: string) =>
    new SignJWT({ sub: 'mina', aud: 'tickets', roles, exp: now() + 600 })
      .setProtectedHeader({ alg: 'RS256', kid: 'k' })
      .sign(privateKey);
  const env = { ...secrets, AUTH_JWKS: path, AUTH_AUDIENCE: 'tickets' };
  const line = await runApp({ env });
  const site = await startSite();
  const gate = await runGate({ ...env, GATE_UPSTREAM: site.url, GATE_LINE_URL: line.url, GATE_VWR_EVENTS: '' });
  const overhead = (await sign('')).length;
  const largest = await sign('x'.repeat(Math.floor(((8_192 - overhead) * 3) / 4) - 2));
  expect(largest.length).toBeGreaterThan(8_180);
  expect(largest.length).toBeLessThanOrEqual(8_192);
  const headers = { authorization: `Bearer ${largest}` };

  const joined = await ask(line.url, '/api/queue/check/concert', { method: 'POST', headers });
  expect([joined.status, joined.json.status]).toEqual([200, 'active']);
  const framework = await ask(line.url, '/api/queue/status/concert?x=1', { headers });
  expect([framework.status, framework.json.status]).toEqual([200, 'active']);
  const entry = { ...headers, 'x-queue-entry-token': joined.json.entryToken };
  const passed = await ask(gate.url, '/api/seats/events/concert', { headers: entry });
  expect([passed.status, passed.json.headers['x-fairline-visitor']]).toEqual([200, 'mina']);
  // Through the gate to the line, which forwards the headers once more.
  expect((await ask(gate.url, '/api/queue/status/concert', { headers })).json.status).toBe('active');

  const longer = { authorization: `Bearer ${await sign('x'.repeat(8_192))}` };
  expect((await ask(line.url, '/api/queue/status/concert', { headers: longer })).status).toBe(401);
  const tooLong = { authorization: `Bearer ${'x'.repeat(20_000)}` };
  expect((await ask(line.url, '/api/queue/status/concert', { headers: tooLong })).status).toBe(431);
});

it('knows the users of a site that signs HS512 and names them by a number', async () => {
  const settings = { AUTH_ALGORITHMS: 'HS512', AUTH_USER_CLAIM: 'userId', AUTH_REQUIRED_CLAIMS: 'type=access' };
  const line = await runApp({ env: { ...secrets, ...settings } });
  const sign = (claims: object) => {
    const text = [
      { alg: 'HS512', typ: 'JWT' },
      { exp: now() + 600, ...claims },
    ]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.');
    return `${text}.${createHmac('sha512', secrets.AUTH_JWT_SECRET).update(text).digest('base64url')}`;
  };
  const join = async (claims: object) => {
    const headers = { authorization: `Bearer ${sign(claims)}` };
    return (await ask(line.url, '/api/queue/check/concert', { method: 'POST', headers })).status;
  };
  expect(await join({ userId: 42, type: 'access' })).toBe(200);
  expect(await join({ userId: 42, type: 'refresh' })).toBe(401);
  expect(await join({ sub: '42', type: 'access' })).toBe(401);
});
