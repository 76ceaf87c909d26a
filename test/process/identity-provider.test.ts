/** Users of a real OpenID provider, in real processes: they join, wait and buy, also while the provider is away. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type OidcProvider, startOidcProvider } from '../support/oidc-provider.ts';
import { type ServerProcess, startGateProcess, startServer } from '../support/server-process.ts';
import { startSite } from '../support/site.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { secrets } from '../support/test-app.ts';
import { until } from '../support/until.ts';

const AUDIENCE = 'https://tickets.example';
const client = { clientId: 'shop', redirectUris: ['https://shop.example/back'] };
const users = {
  mina: { email: 'mina@shop.example', email_verified: true },
  jun: { email: 'jun@shop.example', email_verified: true },
  sora: {},
};

const startProvider = () => startOidcProvider({ clients: [client], users, audience: AUDIENCE });
const envOf = ({ issuer }: Pick<OidcProvider, 'issuer'>) => ({
  AUTH_ISSUER: issuer,
  AUTH_AUDIENCE: AUDIENCE,
  QUEUE_ADMISSION_INTERVAL_MS: '50',
});

/** Sends requests with an access token of the provider, as a front end does. */
async function signIn(provider: OidcProvider, user: string) {
  const tokens = await provider.signIn(user, client);
  const authorization = `Bearer ${tokens.access_token}`;
  return {
    idToken: tokens.id_token!,
    authorization,
    ask: (server: ServerProcess, method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
      server.ask(method, path, { headers: { authorization, ...headers }, ...(body === undefined ? {} : { body }) }),
  };
}

const join$ = '/api/queue/check/concert';
const status$ = '/api/queue/status/concert';

async function openRoom(server: ServerProcess, maxActive: number): Promise<void> {
  const body = { maxActive };
  const { status } = await server.ask('PUT', '/api/admin/rooms/concert', { operator: true, body });
  expect(status).toBeLessThan(300);
}

async function sellSeats(server: ServerProcess): Promise<void> {
  const admin = async (method: string, path: string, body?: unknown) => {
    const answer = await server.ask(method, `/api/admin${path}`, { operator: true, ...(body ? { body } : {}) });
    if (answer.status >= 300) throw new Error(JSON.stringify(answer.body));
  };
  const sections = [{ id: 'A', name: 'Front', rows: 2, seatsPerRow: 10, price: 50_000 }];
  await admin('PUT', '/layouts/hall', { name: 'Hall', sections, standing: [] });
  await admin('PUT', '/events/concert', {
    title: 'Concert',
    startsAt: new Date(Date.now() + 86_400_000).toISOString(),
  });
  await admin('POST', '/events/concert/seats', { layoutId: 'hall' });
  await admin('POST', '/events/concert/open');
}

it('a user of the provider joins, waits and buys; those signed in go on while the provider is away', async () => {
  const provider = await startProvider();
  const dataDir = tempFolder();
  const server = await startServer({ ...envOf(provider), SHOP: 'on', DATA_DIR: dataDir });
  await sellSeats(server);
  await openRoom(server, 1);
  const mina = await signIn(provider, 'mina');
  const jun = await signIn(provider, 'jun');
  expect((await mina.ask(server, 'POST', join$)).body).toMatchObject({ status: 'active' });
  expect((await jun.ask(server, 'POST', join$)).body).toMatchObject({ queued: true, position: 1 });

  await provider.stop();
  const { entryToken } = (await mina.ask(server, 'GET', status$)).body;
  const entry = { 'x-queue-entry-token': entryToken };
  const held = await mina.ask(server, 'POST', '/api/seats/reserve', { eventId: 'concert', best: { count: 2 } }, entry);
  expect(held.status).toBe(201);
  const { reservationId } = held.body;
  const { orderId, paymentKey, amount } = (
    await mina.ask(server, 'POST', '/api/payments/prepare', { reservationId }, entry)
  ).body;
  const paid = { orderId, paymentKey, amount, method: 'card-approve' };
  expect((await mina.ask(server, 'POST', '/api/payments/confirm', paid, entry)).status).toBe(200);
  const [reservation] = (await mina.ask(server, 'GET', '/api/reservations/my')).body;
  expect(reservation).toMatchObject({ reservationId, status: 'confirmed' });
  // The slot that she leaves is for the one who waited, who polls all the time.
  await until('the next one to be admitted', async () => {
    const { status, body } = await jun.ask(server, 'GET', status$);
    expect(status).toBe(200);
    return body.status === 'active';
  });

  // Our own accounts and guests do not need the provider.
  const account = { email: 'own@shop.example', password: 'a long enough password', name: 'Own' };
  const registered = await server.ask('POST', '/api/auth/register', { body: account });
  expect(registered.status).toBe(201);
  const cookie = registered.headers['set-cookie']!.map((text) => text.split(';')[0]).join('; ');
  const own = await server.ask('POST', join$, { headers: { cookie } });
  expect(own.status).toBe(200);
  expect((await server.ask('POST', join$)).status).toBe(200);

  // A restart while the provider is away begins with the keys of the last read.
  expect(existsSync(join(dataDir, 'user-keys.json'))).toBe(true);
  await server.kill('SIGTERM');
  const restarted = await startServer({ ...envOf(provider), SHOP: 'on', DATA_DIR: dataDir });
  expect((await restarted.ask('GET', '/ready')).status).toBe(200);
  expect((await jun.ask(restarted, 'GET', status$)).body).toMatchObject({ status: 'active' });
});

it('keys that the provider rotates are picked up without a refused request, on both paths, also under attack', async () => {
  const provider = await startProvider();
  const server = await startServer({ ...envOf(provider), DATA_DIR: tempFolder() });
  await openRoom(server, 10);
  const mina = await signIn(provider, 'mina');
  expect((await mina.ask(server, 'POST', join$)).status).toBe(200);
  const readsBefore = provider.requests.get('/jwks')!;

  for (const algorithm of ['ES256', 'EdDSA', 'RS256'] as const) {
    // Tokens with key ids that nobody has, but otherwise like those of the provider.
    const [header, payload, signature] = mina.authorization.slice('Bearer '.length).split('.') as [
      string,
      string,
      string,
    ];
    const forged = Array.from({ length: 20 }, (_, at) => {
      const known = JSON.parse(Buffer.from(header, 'base64url').toString());
      return [
        Buffer.from(JSON.stringify({ ...known, kid: `${algorithm}${at}` })).toString('base64url'),
        payload,
        signature,
      ];
    });
    const attacks = forged.map((parts) =>
      server.ask('GET', status$, { headers: { authorization: `Bearer ${parts.join('.')}` } }),
    );
    provider.rotateKeys({ algorithm });
    const jun = await signIn(provider, 'jun');
    // The fast path, the framework (a query) and a stream of requests of somebody who signed in before.
    const answers = await Promise.all([
      jun.ask(server, 'POST', join$),
      jun.ask(server, 'GET', `${status$}?x=1`),
      ...Array.from({ length: 20 }, () => mina.ask(server, 'GET', status$)),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(new Set((await Promise.all(attacks)).map(({ status }) => status))).toEqual(new Set([401]));
  }
  // 60 forged tokens and three rotations: one read per period, which is 3 s.
  expect(provider.requests.get('/jwks')! - readsBefore).toBeLessThanOrEqual(8);

  // A key that the provider withdraws is refused once the keys are read again.
  provider.rotateKeys({ drop: true });
  const sora = await signIn(provider, 'sora');
  expect((await sora.ask(server, 'POST', join$)).status).toBe(200);
  expect((await mina.ask(server, 'GET', status$)).body).toMatchObject({ error: { code: 'INVALID_TOKEN' } });
});

it('a start without the provider is not ready and says why, serves everybody else, and begins when it comes', async () => {
  const provider = await startProvider();
  const mina = await signIn(provider, 'mina');
  await provider.stop();
  const server = await startServer({ ...envOf(provider), DATA_DIR: tempFolder() });
  expect(server.output()).toContain('waiting for stores');
  await openRoom(server, 10);
  const ready = await server.ask('GET', '/ready');
  expect([ready.status, ready.body.error.message]).toEqual([503, expect.stringContaining('openid-configuration')]);
  expect((await server.ask('POST', join$)).status).toBe(200);
  expect((await server.ask('POST', join$, { user: 'a user of the site' })).status).toBe(200);
  // Whether her token is genuine is not known: she must not be told to sign in again.
  const answer = await mina.ask(server, 'POST', join$);
  expect([answer.status, answer.body.error.code]).toEqual([503, 'STORE_UNAVAILABLE']);
  await provider.start();
  await until('the process to be ready', async () => (await server.ask('GET', '/ready')).status === 200);
  expect((await mina.ask(server, 'POST', join$)).status).toBe(200);
  // The ID token is for the client, not for us.
  const authorization = `Bearer ${mina.idToken}`;
  expect((await server.ask('POST', join$, { headers: { authorization } })).status).toBe(401);
});

it('`fairline gate` knows users of the provider without any secret of theirs, also after a rotation', async () => {
  const provider = await startProvider();
  const server = await startServer({ ...envOf(provider), DATA_DIR: tempFolder() });
  await openRoom(server, 10);
  const site = await startSite();
  const { QUEUE_ENTRY_TOKEN_SECRET, GUEST_SECRET, VWR_TOKEN_SECRET } = secrets;
  const gate = await startGateProcess(['--upstream', site.url, '--line', server.url], {
    ...envOf(provider),
    ...{ QUEUE_ENTRY_TOKEN_SECRET, GUEST_SECRET, VWR_TOKEN_SECRET, AUTH_JWT_SECRET: '' },
  });
  const seats = '/api/seats/events/concert';
  provider.rotateKeys({ algorithm: 'ES256' });
  for (const user of ['mina', 'jun'] as const) {
    const caller = await signIn(provider, user);
    expect((await caller.ask(gate, 'GET', seats)).status).toBe(403);
    const { entryToken } = (await caller.ask(server, 'POST', join$)).body;
    const entry = { 'x-queue-entry-token': entryToken };
    expect((await caller.ask(gate, 'GET', seats, undefined, entry)).status).toBe(200);
    // The endpoint for other proxies.
    const verified = await caller.ask(server, 'GET', '/gate/verify?eventId=concert', undefined, entry);
    expect([verified.status, verified.body.visitor]).toEqual([200, user]);
    // The entry token of another user.
    const thief = await signIn(provider, 'sora');
    expect((await thief.ask(gate, 'GET', seats, undefined, entry)).status).toBe(403);
    provider.rotateKeys({ algorithm: 'RS256' });
  }
});
