/** Service keys over the API: what a key may do, how it ends, and that the audit trail names it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cookiesOf, createTestApp, secrets, type TestApp } from '../support/test-app.ts';
import { until } from '../support/until.ts';

const KEYS = '/api/admin/service-keys';
const DAY_MS = 86_400_000;

async function createKey(test: TestApp, body: { name: string; role: string; days?: number }): Promise<string> {
  const answer = await test.operator('POST', KEYS, { body });
  expect(answer.statusCode).toBe(201);
  return answer.json().token;
}
const by = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
const codeOf = (answer: { statusCode: number; json(): { error?: { code: string } } }) => [
  answer.statusCode,
  answer.json().error?.code,
];
const listOf = async (test: TestApp) => (await test.operator('GET', KEYS)).json() as Record<string, unknown>[];

describe('a service key', () => {
  it('acts with its role, and the audit trail names it', async () => {
    const test = await createTestApp();
    const token = await createKey(test, { name: 'deploy', role: 'operator' });
    const room = '/api/admin/rooms/concert';
    expect((await test.anyone('PUT', room, { ...by(token), body: { maxActive: 5 } })).statusCode).toBe(201);
    const refused = await test.anyone('POST', '/api/queue/admin/clear/concert', by(token));
    expect(codeOf(refused)).toEqual([403, 'ROLE_REQUIRED']);
    expect(refused.json().error.message).toContain('needs the role admin; yours is operator');
    const trail = (await test.operator('GET', '/api/admin/audit')).json();
    expect(trail).toMatchObject([
      { action: 'create room', by: 'deploy', eventId: 'concert' },
      { action: 'create service key', by: 'admin-token', details: { name: 'deploy', role: 'operator' } },
    ]);
  });

  it('is shown once and kept as a hash', async () => {
    const test = await createTestApp();
    const token = await createKey(test, { name: 'deploy', role: 'viewer' });
    expect(token).toMatch(/^flk_[\w-]{43}$/);
    expect(JSON.stringify(await listOf(test))).not.toContain(token);
    await until('the last use', async () => (await listOf(test))[0]?.lastUsedAt !== undefined);
    const files = readdirSync(test.dataDir, { withFileTypes: true }).filter((entry) => entry.isFile());
    const kept = files.map(({ name }) => readFileSync(join(test.dataDir, name), 'utf8')).join('\n');
    expect(kept).toContain('deploy');
    expect(kept).not.toContain(token);
    expect(kept).not.toContain(secrets.ADMIN_TOKEN);
  });

  it('is refused once it is revoked, and so is a session that began with it', async () => {
    const test = await createTestApp();
    const token = await createKey(test, { name: 'ann', role: 'admin' });
    const signedIn = await test.anyone('POST', '/api/admin/session', { body: { token } });
    expect(signedIn.json()).toMatchObject({ signedIn: true, name: 'ann', role: 'admin' });
    expect(signedIn.json()).not.toHaveProperty('by');
    const cookie = `fairline-operator=${cookiesOf(signedIn)['fairline-operator']}`;
    const read = (headers: Record<string, string>) => test.anyone('GET', '/api/admin/rooms', { headers });
    expect([(await read(by(token).headers)).statusCode, (await read({ cookie })).statusCode]).toEqual([200, 200]);
    const { statusCode } = await test.app.inject({
      method: 'DELETE',
      url: `${KEYS}/ann`,
      headers: { authorization: `Bearer ${secrets.ADMIN_TOKEN}` },
    });
    expect(statusCode).toBe(200);
    expect(codeOf(await read(by(token).headers))).toEqual([401, 'OPERATOR_ONLY']);
    expect(codeOf(await read({ cookie }))).toEqual([401, 'OPERATOR_ONLY']);
    // A new key with the name does not bring the session back.
    await createKey(test, { name: 'ann', role: 'admin' });
    expect((await read({ cookie })).statusCode).toBe(401);
  });

  it('ends at its expiry', async () => {
    const test = await createTestApp();
    const token = await createKey(test, { name: 'short', role: 'viewer', days: 1 });
    const read = async () => (await test.anyone('GET', '/api/admin/rooms', by(token))).statusCode;
    test.clock.advance(DAY_MS - 1_000);
    expect(await read()).toBe(200);
    test.clock.advance(1_000);
    expect(await read()).toBe(401);
    expect(await listOf(test)).toMatchObject([{ name: 'admin-token' }, { name: 'short', expired: true }]);
  });

  it('has a last use with time and address, to the minute; ADMIN_TOKEN has one, too', async () => {
    const test = await createTestApp();
    const token = await createKey(test, { name: 'monitor', role: 'viewer' });
    expect((await listOf(test))[1]).not.toHaveProperty('lastUsedAt');
    await test.anyone('GET', '/api/admin/rooms', by(token));
    const at = new Date(test.clock.now()).toISOString();
    const used = await until('the last use', async () => {
      const list = await listOf(test);
      return list.every(({ lastUsedAt }) => lastUsedAt !== undefined) && list;
    });
    expect(used).toMatchObject([
      { name: 'admin-token', role: 'admin', lastUsedFrom: '127.0.0.1' },
      { name: 'monitor', role: 'viewer', lastUsedAt: at, lastUsedFrom: '127.0.0.1', createdBy: 'admin-token' },
    ]);
  });

  it('needs a name that is free and looks like no account', async () => {
    const test = await createTestApp();
    await createKey(test, { name: 'deploy', role: 'viewer' });
    for (const name of ['deploy', 'admin-token', 'token', 'system', 'unknown']) {
      const refused = await test.operator('POST', KEYS, { body: { name, role: 'viewer' } });
      expect(codeOf(refused), name).toEqual([409, 'SERVICE_KEY_EXISTS']);
    }
    for (const name of ['', 'Deploy', 'a@b.c', 'oidc:x', '-a', 'a b', 'x'.repeat(41)]) {
      const refused = await test.operator('POST', KEYS, { body: { name, role: 'viewer' } });
      expect([refused.statusCode, refused.json().error.fields[0].field], name).toEqual([400, 'name']);
    }
    expect((await test.operator('POST', KEYS, { body: { name: 'a', role: 'root' } })).statusCode).toBe(400);
  });

  it('that is wrong counts as a guess, and the right one passes at any rate', async () => {
    const test = await createTestApp({ LIMIT_OPERATOR_SIGN_IN_PER_IP: '3' });
    const token = await createKey(test, { name: 'deploy', role: 'viewer' });
    const guess = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`;
    const statuses = [];
    for (let n = 0; n < 6; n += 1) statuses.push((await test.anyone('GET', '/api/admin/rooms', by(guess))).statusCode);
    expect(statuses).toContain(401);
    expect(statuses).toContain(429);
    expect((await test.anyone('GET', '/api/admin/rooms', by(token))).statusCode).toBe(200);
  });

  it('works for gates with the role operator, beside SERVICE_KEY', async () => {
    const SERVICE_KEY = 'service-key-of-the-tests-0123456789abcdef';
    const test = await createTestApp({ SERVICE_KEY });
    const token = await createKey(test, { name: 'gate', role: 'operator' });
    const viewer = await createKey(test, { name: 'viewer', role: 'viewer' });
    const ask = async (key: string) => (await test.anyone('GET', '/gate/rooms', by(key))).statusCode;
    expect([await ask(token), await ask(SERVICE_KEY), await ask(viewer)]).toEqual([200, 200, 403]);
  });

  it('cannot be made by an operator below admin, nor used to become one', async () => {
    const test = await createTestApp();
    const token = await createKey(test, { name: 'op', role: 'operator' });
    const body = { name: 'more', role: 'admin' };
    expect(codeOf(await test.anyone('POST', KEYS, { ...by(token), body }))).toEqual([403, 'ROLE_REQUIRED']);
    expect(codeOf(await test.anyone('GET', KEYS, by(token)))).toEqual([403, 'ROLE_REQUIRED']);
  });
});
