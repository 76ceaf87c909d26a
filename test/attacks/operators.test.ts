/** Attacks on operators: sessions that come back, guessed tokens, a stolen password without the second factor. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, describeWithPostgres } from '../support/postgres-server.ts';
import { describeWithRedis, type RedisServer, startRedis } from '../support/redis-server.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { createTestApp, secrets, type TestApp } from '../support/test-app.ts';
import {
  codeNow,
  createOperator,
  enrol,
  fromPage,
  look,
  operatorCookie,
  post,
  setRole,
  shareDatabase,
  signIn,
} from './operator-accounts.ts';

async function signInWithToken({ anyone }: TestApp): Promise<string> {
  return operatorCookie(await anyone('POST', '/api/admin/session', { body: { token: secrets.ADMIN_TOKEN } }))!;
}

async function signOut({ app }: TestApp, cookie: string): Promise<void> {
  const headers = { cookie, ...fromPage };
  const { statusCode } = await app.inject({ method: 'DELETE', url: '/api/admin/session', headers });
  expect(statusCode).toBe(200);
}

/** Ends the app as its process would. */
async function stop({ app, context }: TestApp): Promise<void> {
  await app.close();
  await context.close();
}

describeWithPostgres('the session of a demoted operator', () => {
  const { createProcess } = shareDatabase();

  it('is over in every process, also in one that starts later, and when the role is granted again', async () => {
    const a = await createProcess();
    const b = await createProcess();
    const email = await createOperator(a);
    const cookie = await signIn(a, email);
    expect([await look(a, cookie), await look(b, cookie)]).toEqual([200, 200]);
    await setRole(a, email, 'user');
    const restarted = await createProcess();
    for (const process of [a, b, restarted]) expect(await look(process, cookie)).toBe(401);
    await setRole(a, email, 'operator');
    for (const process of [a, b, restarted]) expect(await look(process, cookie)).toBe(401);
    const again = await signIn(b, email);
    for (const process of [a, b, restarted]) expect(await look(process, again)).toBe(200);
  });

  it('is over in every process after signing out, however often it was renewed', async () => {
    const a = await createProcess();
    const b = await createProcess();
    const first = await signInWithToken(a);
    a.clock.advance(60_000);
    const renewed = operatorCookie(await a.anyone('GET', '/api/admin/session', { headers: { cookie: first } }))!;
    await signOut(a, first);
    const restarted = await createProcess();
    for (const process of [a, b, restarted]) {
      for (const cookie of [first, renewed]) expect(await look(process, cookie)).toBe(401);
    }
  });
});

describe('a session that was ended in the only process', () => {
  it('stays ended after a restart', async () => {
    const env = { DATA_DIR: tempFolder(), SHOP: 'off' };
    const before = await createTestApp(env);
    const cookie = await signInWithToken(before);
    const other = await signInWithToken(before);
    await signOut(before, cookie);
    await stop(before);
    const after = await createTestApp(env);
    expect([await look(after, cookie), await look(after, other)]).toEqual([401, 200]);
  });
});

describeWithRedis('a session that was ended in one of several processes without a database', () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis?.stop());

  it('is over in the others, also in one that starts later', async () => {
    const env = { REDIS_URL: redis.url };
    const a = await createTestApp(env);
    const b = await createTestApp(env);
    const cookie = await signInWithToken(a);
    expect(await look(b, cookie)).toBe(200);
    await signOut(a, cookie);
    const restarted = await createTestApp(env);
    for (const process of [a, b, restarted]) expect(await look(process, cookie)).toBe(401);
  });
});

describe('guesses of the operator token', () => {
  const guess = ({ anyone }: TestApp, token: string, ip = '203.0.113.7') =>
    anyone('GET', '/api/admin/rooms', { headers: { authorization: `Bearer ${token}`, 'x-forwarded-for': ip } });
  const create = () => createTestApp({ SHOP: 'off', TRUST_PROXY: '127.0.0.1', LIMIT_OPERATOR_SIGN_IN_PER_IP: '5' });
  const trailOf = ({ dataDir }: TestApp) =>
    readFileSync(join(dataDir, 'audit.jsonl'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));

  it('must wait longer and longer, while the right token passes from the same address', async () => {
    const test = await create();
    const waits: number[] = [];
    for (let n = 0; n < 12; n += 1) {
      const refused = await guess(test, `guess-${n}`);
      expect(refused.statusCode).toBe(n < 5 ? 401 : 429);
      if (n >= 5) waits.push(Number(refused.headers['retry-after']));
    }
    expect(waits).toEqual([2, 4, 8, 16, 32, 64, 128]);
    expect((await guess(test, secrets.ADMIN_TOKEN)).statusCode).toBe(200);
    expect((await guess(test, 'a-guess', '203.0.113.8')).statusCode).toBe(401);
  });

  it('are in the audit trail and the metrics: the first at once, the others as one summary per minute', async () => {
    const test = await create();
    for (let n = 0; n < 30; n += 1) await guess(test, `guess-${n}`);
    expect(trailOf(test)).toMatchObject([{ action: 'refused token', by: 'unknown', from: '203.0.113.7', details: {} }]);
    test.clock.advance(60_000);
    await test.context.operatorServices.keepAudit();
    expect(trailOf(test)).toMatchObject([
      {},
      { action: 'refused token', by: 'unknown', details: { moreAttempts: 29 } },
    ]);
    expect(JSON.stringify(trailOf(test))).not.toContain('guess-');
    const metrics = (await test.anyone('GET', '/metrics')).body;
    if (metrics.includes('fairline_')) expect(metrics).toContain('fairline_operator_refusals_total{reason="token"} 30');
  });

  it('from very many addresses do not flood the audit trail', async () => {
    const test = await create();
    for (let n = 0; n < 100; n += 1) await guess(test, 'guess', `198.51.100.${n}`);
    test.clock.advance(60_000);
    await test.context.operatorServices.keepAudit();
    const trail = trailOf(test);
    expect(trail.length).toBeLessThanOrEqual(21);
    expect(trail.at(-1)).toMatchObject({ from: 'other addresses', details: { moreAttempts: 80 } });
  });
});

describeWithPostgres('an operator password without the second factor', () => {
  const { createProcess, url } = shareDatabase();
  const endpoints = ['rooms', 'overview', 'audit', 'audit/chain', 'events'];

  it('opens no operator endpoint in any process', async () => {
    const a = await createProcess();
    const b = await createProcess();
    const email = await createOperator(a);
    await enrol(a, await signIn(a, email));
    const stolen = await signIn(a, email);
    for (const process of [a, b]) {
      for (const path of endpoints) {
        const refused = await process.anyone('GET', `/api/admin/${path}`, { headers: { cookie: stolen } });
        expect([refused.statusCode, refused.json().error.code], path).toEqual([401, 'SECOND_FACTOR_REQUIRED']);
      }
      const changes = [
        ['second-factor/remove', { code: '123456' }],
        ['second-factor', undefined],
        ['accounts/second-factor/reset', { email }],
      ] as const;
      for (const [path, body] of changes) {
        expect((await post(process, path, stolen, body)).statusCode, path).toBe(401);
      }
    }
    const session = await a.anyone('GET', '/api/admin/session', { headers: { cookie: stolen } });
    expect(session.json()).toEqual({ signedIn: false, by: email, missing: 'code' });
  });

  it('ends sessions that began with the password alone when the operator enrols', async () => {
    const app = await createProcess();
    const email = await createOperator(app);
    const stolen = await signIn(app, email);
    expect(await look(app, stolen)).toBe(200);
    const { cookie } = await enrol(app, await signIn(app, email));
    expect([await look(app, stolen), await look(app, cookie)]).toEqual([401, 200]);
  });

  it('needs a code, which is valid once in all processes', async () => {
    const a = await createProcess();
    const b = await createProcess();
    const email = await createOperator(a);
    const { secret } = await enrol(a, await signIn(a, email));
    const pending = await signIn(a, email);
    // The code that confirmed the enrolment was seen, so it is used up.
    expect((await post(b, 'session/code', pending, { code: codeNow(secret, a) })).statusCode).toBe(403);
    for (const process of [a, b]) process.clock.advance(30_000);
    const code = codeNow(secret, a);
    const right = await Promise.all([a, b].map((process) => post(process, 'session/code', pending, { code })));
    expect(right.map(({ statusCode }) => statusCode).sort()).toEqual([200, 403]);
    const cookie = operatorCookie(right.find(({ statusCode }) => statusCode === 200)!)!;
    expect([await look(a, cookie), await look(b, cookie)]).toEqual([200, 200]);
  });

  it('leaves few codes to guess: parallel guesses are counted before they are compared', async () => {
    const a = await createProcess();
    const b = await createProcess();
    const email = await createOperator(a);
    const { secret } = await enrol(a, await signIn(a, email));
    for (const process of [a, b]) process.clock.advance(60_000);
    const pending = await signIn(a, email);
    const wrong = (n: number) => String((Number(codeNow(secret, a)) + 1_000 + n) % 1_000_000).padStart(6, '0');
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => post(n % 2 === 0 ? a : b, 'session/code', pending, { code: wrong(n) })),
    );
    const statuses = answers.map(({ statusCode }) => statusCode);
    expect(statuses.filter((status) => status === 403)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(15);
    const locked = await post(b, 'session/code', pending, { code: codeNow(secret, b) });
    expect([locked.statusCode, locked.headers['retry-after']]).toEqual([429, '30']);
    for (const process of [a, b]) process.clock.advance(30_000);
    expect((await post(b, 'session/code', pending, { code: codeNow(secret, b) })).statusCode).toBe(200);
  });

  it('cannot be completed from another site', async () => {
    const app = await createProcess();
    const email = await createOperator(app);
    const { secret } = await enrol(app, await signIn(app, email));
    app.clock.advance(60_000);
    const headers = { cookie: await signIn(app, email), 'sec-fetch-site': 'cross-site' };
    const body = { code: codeNow(secret, app) };
    expect((await app.anyone('POST', '/api/admin/session/code', { headers, body })).statusCode).toBe(403);
  });

  it('allows enrolling only, where a second factor is required', async () => {
    const app = await createProcess({ OPERATOR_SECOND_FACTOR: 'required' });
    const lax = await createProcess();
    const email = await createOperator(app);
    const before = await signIn(lax, email);
    expect([await look(lax, before), await look(app, before)]).toEqual([200, 401]);
    const pending = await signIn(app, email);
    for (const path of endpoints) {
      const headers = { cookie: pending };
      expect((await app.anyone('GET', `/api/admin/${path}`, { headers })).statusCode, path).toBe(401);
    }
    const { cookie } = await enrol(app, pending);
    expect(await look(app, cookie)).toBe(200);
    // The first session cannot enrol another app over it.
    expect((await post(app, 'second-factor', pending)).statusCode).toBe(401);
  });

  it('finds no secret and no recovery code in the database', async () => {
    const app = await createProcess();
    const email = await createOperator(app);
    const { secret, recoveryCodes } = await enrol(app, await signIn(app, email));
    const tables = ['operator_factors', 'operator_recovery_codes', 'audit_entries'];
    const rows = await Promise.all(tables.map((table) => ask(url(), `select * from ${table}`)));
    const dump = JSON.stringify(rows);
    for (const text of [secret, ...recoveryCodes, ...recoveryCodes.map((code) => code.replaceAll('-', ''))]) {
      expect(dump).not.toContain(text);
    }
  });

  it('is helped by a recovery code once, and by another operator with a trace', async () => {
    const app = await createProcess();
    const email = await createOperator(app);
    const { recoveryCodes, cookie } = await enrol(app, await signIn(app, email));
    const pending = await signIn(app, email);
    const code = recoveryCodes[0]!;
    expect((await post(app, 'session/code', pending, { code: code.toUpperCase() })).statusCode).toBe(200);
    expect((await post(app, 'session/code', pending, { code })).statusCode).toBe(403);
    const reset = (who: string) => post(app, 'accounts/second-factor/reset', who, { email });
    expect((await reset(cookie)).json().error.code).toBe('OWN_SECOND_FACTOR');
    const other = await createOperator(app);
    expect((await reset(await signIn(app, other))).statusCode).toBe(200);
    expect(await look(app, cookie)).toBe(401);
    const [latest] = (await app.operator('GET', '/api/admin/audit?limit=1')).json();
    expect(latest).toMatchObject({ action: 'reset second factor', by: other, details: { email } });
  });
});
