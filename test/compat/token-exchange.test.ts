/**
 * Who accepts whose tokens where the secret is shared: the table of docs/guides/cutover.md. Tokens of other systems are
 * signed here as their services do, and ours are verified as theirs do.
 */
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createDevice } from '../support/device.ts';
import { createTestApp, secrets, type TestApp } from '../support/test-app.ts';

const CHECK = '/api/queue/check/concert';
const LIFETIME_SECONDS = 600;

interface Signing {
  secret: string | Buffer;
  alg?: 'HS256' | 'HS384' | 'HS512';
}

/** As the libraries of these systems sign: no `typ`, no `kid`. */
function signTheirs(
  claims: Record<string, unknown>,
  { secret, alg = 'HS256' }: Signing,
  clock: TestApp['clock'],
): string {
  const iat = Math.floor(clock.now() / 1000);
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = `${encode({ alg })}.${encode({ ...claims, iat, exp: iat + LIFETIME_SECONDS })}`;
  return `${signed}.${hmacOf(signed, secret, alg)}`;
}

/** As URR's gateway and its function in the CDN verify: signature by HMAC-SHA-256 and time, nothing else. */
function verifyAsUrr(token: string, secret: string, clock: TestApp['clock']): Record<string, unknown> {
  const [header, payload, signature] = token.split('.') as [string, string, string];
  const decode = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString());
  expect(decode(header).alg).toBe('HS256');
  const expected = hmacOf(`${header}.${payload}`, secret, 'HS256');
  expect(timingSafeEqual(Buffer.from(signature), Buffer.from(expected))).toBe(true);
  const claims = decode(payload);
  expect(claims.exp).toBeGreaterThan(clock.now() / 1000);
  return claims;
}

function hmacOf(signed: string, secret: string | Buffer, alg: string): string {
  return createHmac(`sha${alg.slice(2)}`, secret)
    .update(signed)
    .digest('base64url');
}

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

async function open(env: Record<string, string> = {}) {
  const test = await createTestApp({ LIMIT_VWR_ASSIGN_PER_IP: '0', LIMIT_GUEST_JOIN_PER_IP: '0', ...env });
  await test.operator('PUT', '/api/admin/rooms/concert', { body: { maxActive: 1 } });
  const sign = (claims: Record<string, unknown>, signing: Signing) => signTheirs(claims, signing, test.clock);
  return { ...test, sign };
}

describe('URR with the same secrets', () => {
  it('accepts our entry tokens at its gateway and in its CDN', async () => {
    const { as, clock } = await open();
    const { entryToken } = (await as('ann')('POST', CHECK)).json();
    const claims = verifyAsUrr(entryToken, secrets.QUEUE_ENTRY_TOKEN_SECRET, clock);
    expect(claims).toMatchObject({ sub: 'concert', uid: 'ann', iat: expect.any(Number) });
  });

  it('accepts our vwr tokens in its CDN', async () => {
    const { app, operator, clock } = await open();
    await operator('POST', '/api/admin/vwr/activate/concert');
    const device = createDevice(app);
    const { requestId } = (await device.ask('POST', '/vwr/assign/concert')).json();
    await operator('POST', '/api/admin/vwr/advance/concert');
    const { token } = (await device.ask('GET', `/vwr/check/concert/${requestId}`)).json();
    const claims = verifyAsUrr(token, secrets.VWR_TOKEN_SECRET, clock);
    expect(claims).toMatchObject({ sub: 'concert', tier: 1, uid: expect.any(String) });
  });

  it('signs tokens of users that we accept, but not its refresh tokens', async () => {
    const { anyone, sign } = await open({ AUTH_REQUIRED_CLAIMS: 'type=access' });
    const signing = { secret: secrets.AUTH_JWT_SECRET };
    const access = sign({ sub: 'ann', email: 'ann@example.org', role: 'user', type: 'access' }, signing);
    const refresh = sign({ sub: 'ann', type: 'refresh' }, signing);
    const joined = await anyone('POST', CHECK, bearer(access));
    expect(joined.json()).toMatchObject({ status: 'active' });
    expect((await anyone('POST', CHECK, bearer(refresh))).statusCode).toBe(401);
  });

  it('signs entry and vwr tokens that we refuse: they name no admission, so we could not end one', async () => {
    const { anyone, as, sign, userToken } = await open();
    const entry = sign({ sub: 'concert', uid: 'ann' }, { secret: secrets.QUEUE_ENTRY_TOKEN_SECRET });
    const gate = { authorization: `Bearer ${userToken('ann')}`, 'x-queue-entry-token': entry };
    expect((await anyone('GET', '/gate/verify?eventId=concert', { headers: gate })).statusCode).not.toBe(200);
    const { entryToken } = (await as('ann')('POST', CHECK)).json();
    const ours = { ...gate, 'x-queue-entry-token': entryToken };
    expect((await anyone('GET', '/gate/verify?eventId=concert', { headers: ours })).statusCode).toBe(200);
  });

  it('signs vwr tokens that do not pass our tier 1', async () => {
    const { anyone, operator, sign } = await open();
    await operator('POST', '/api/admin/vwr/activate/concert');
    const vwr = sign({ sub: 'concert', uid: 'anon-1', tier: 1 }, { secret: secrets.VWR_TOKEN_SECRET });
    const refused = await anyone('POST', CHECK, { headers: { cookie: `urr-vwr-token=${vwr}` } });
    expect(refused.json().error.code).toBe('VWR_REQUIRED');
  });
});

describe('CodeNBug with the same secret', () => {
  /** 64 bytes and more: its library then signs with HS512. */
  const secret = 'codenbug-secret-of-the-tests-0123456789abcdef-0123456789abcdef-0123456789';
  const env = {
    ...{ AUTH_JWT_SECRET: secret, AUTH_ALGORITHMS: 'HS512', AUTH_USER_CLAIM: 'userId' },
    ...{ AUTH_REQUIRED_CLAIMS: 'role=USER', AUTH_COOKIE: 'accessToken' },
  };

  it('signs tokens of users that we accept, as a header and as its cookie, but not its refresh tokens', async () => {
    const { anyone, sign } = await open(env);
    const access = sign({ userId: 'user-1', role: 'USER', email: 'user-1@example.org' }, { secret, alg: 'HS512' });
    const refresh = sign({ userId: 'user-1' }, { secret, alg: 'HS512' });
    const { entryToken } = (await anyone('POST', CHECK, bearer(access))).json();
    expect(claimsOf(entryToken)).toMatchObject({ sub: 'concert', uid: 'user-1' });
    const status = '/api/queue/status/concert';
    const again = await anyone('GET', status, { headers: { cookie: `accessToken=${access}` } });
    expect(again.json()).toMatchObject({ status: 'active' });
    expect((await anyone('POST', CHECK, bearer(refresh))).statusCode).toBe(401);
  });

  it('signs entry tokens that are not ours, not even as a user', async () => {
    const { anyone, sign } = await open(env);
    const entry = sign({ eventId: 'concert', userId: 'user-1', subject: 'entryAuthToken' }, { secret, alg: 'HS512' });
    const asGate = await anyone('GET', '/gate/verify?eventId=concert', { headers: { 'x-queue-entry-token': entry } });
    expect(asGate.statusCode).not.toBe(200);
    expect((await anyone('POST', CHECK, bearer(entry))).statusCode).toBe(401);
  });
});

describe('Traffic Tacos', () => {
  it('has waiting tokens that mean nothing here: they are names of places in its own store', async () => {
    const { as } = await open();
    const token = randomUUID();
    const status = await as('ann')('GET', `/api/v1/queue/status?token=${token}`);
    const enter = await as('ann')('POST', '/api/v1/queue/enter', { body: { waiting_token: token } });
    expect([status.statusCode, enter.statusCode].every((code) => code === 403 || code === 404)).toBe(true);
  });
});

function claimsOf(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString());
}
