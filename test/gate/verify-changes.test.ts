/** A visitor whom a proxy has asked about before is refused as soon as something has changed, on the fast path too. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTokenSigner } from '../../src/platform/jwt/tokens.ts';
import { type RunningApp, startApp } from '../support/running-app.ts';
import { secrets } from '../support/test-app.ts';
import { until } from '../support/until.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'fairline-test-'));
let app: RunningApp;

beforeAll(async () => {
  app = await startApp({ env: secrets, room: { maxActive: 100 }, dataDir });
});
afterAll(async () => {
  await app.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

async function send(method: string, path: string, headers: Record<string, string>, body?: object) {
  const json = body === undefined ? {} : { 'content-type': 'application/json' };
  return fetch(app.url + path, {
    method,
    headers: { ...headers, ...json },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

async function operate(path: string, body?: object): Promise<void> {
  const answer = await send('POST', path, { authorization: `Bearer ${secrets.ADMIN_TOKEN}` }, body);
  expect(answer.status, await answer.text()).toBeLessThan(300);
}

/** An admitted visitor about whom the proxy has asked three times. */
async function enter(name: string) {
  const iat = Math.floor(Date.now() / 1000);
  const sign = createTokenSigner({ secret: secrets.AUTH_JWT_SECRET, typ: 'JWT' });
  const signedIn = { authorization: `Bearer ${sign({ sub: name, iat, exp: iat + 3_600 })}` };
  const joined = await send('POST', '/api/queue/check/concert', signedIn);
  const { entryToken } = (await joined.json()) as { entryToken: string };
  const headers = {
    ...signedIn,
    cookie: `theme=dark; urr-entry-token=${entryToken}`,
    'x-original-uri': '/api/seats/events/concert',
    'x-original-method': 'GET',
  };
  const check = async (): Promise<string> => {
    const answer = await send('GET', '/gate/verify', headers);
    return answer.status === 200
      ? `pass ${answer.headers.get('x-fairline-visitor')}`
      : answer.headers.get('x-fairline-code')!;
  };
  expect([await check(), await check(), await check()]).toEqual([`pass ${name}`, `pass ${name}`, `pass ${name}`]);
  return check;
}

it('an ejected visitor', async () => {
  const [check, other] = [await enter('ejected'), await enter('beside')];
  await operate('/api/admin/rooms/concert/eject', { visitor: 'ejected' });
  expect(await check()).toBe('ENTRY_TOKEN_INVALID');
  expect(await other()).toBe('pass beside');
});

it('a banned visitor', async () => {
  const check = await enter('banned');
  await operate('/api/admin/rooms/concert/bans', { visitor: 'banned' });
  expect(await check()).toBe('BANNED');
});

it('a visitor whose session the site has ended', async () => {
  const check = await enter('released');
  await operate('/api/sessions/release', { eventId: 'concert', visitor: 'released' });
  expect(await check()).toBe('ENTRY_TOKEN_INVALID');
});

it('a visitor of an event with tier 1 switched on since', async () => {
  const check = await enter('numbered');
  await operate('/api/admin/vwr/activate/concert');
  await until('tier 1 counts', async () => (await check()) === 'VWR_REQUIRED');
  await operate('/api/admin/vwr/deactivate/concert');
  await until('tier 1 does not count', async () => (await check()) === 'pass numbered');
});
