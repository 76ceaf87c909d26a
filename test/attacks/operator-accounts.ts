/** Operators with accounts, for the attack suites: apps that stand for processes on one database, and a browser. */
import type { LightMyRequestResponse } from 'fastify';
import { afterAll, beforeAll } from 'vitest';
import { codeAt, fromBase32, stepAt } from '../../src/identity/totp.ts';
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts';
import { cookiesOf, createTestApp, type TestApp } from '../support/test-app.ts';

export const PASSWORD = 'a long password of an operator';
export const fromPage = { 'sec-fetch-site': 'same-origin' };
let count = 0;

export interface SharedDatabase {
  server(): PostgresServer;
  url(): string;
  /** Another process on the same database. */
  createProcess(env?: Record<string, string>): Promise<TestApp>;
}

export function shareDatabase(): SharedDatabase {
  let server: PostgresServer;
  let url: string;
  beforeAll(async () => {
    server = await startPostgres();
    url = await server.createDatabase();
  });
  afterAll(() => server?.stop());
  return {
    server: () => server,
    url: () => url,
    createProcess: (env = {}) =>
      createTestApp({ DATABASE_URL: url, LIMIT_SIGN_IN_PER_IP: '0', LIMIT_WRONG_PASSWORD_PER_ACCOUNT: '0', ...env }),
  };
}

/** Creates an account and makes it an operator. */
export async function createOperator({ anyone, operator }: TestApp): Promise<string> {
  count += 1;
  const email = `operator-${count}@example.org`;
  const registered = await anyone('POST', '/api/auth/register', { body: { email, password: PASSWORD } });
  if (registered.statusCode !== 201) throw new Error(registered.body);
  await setRole({ operator }, email, 'admin');
  return email;
}

export async function setRole({ operator }: Pick<TestApp, 'operator'>, email: string, role: string): Promise<void> {
  const answer = await operator('PUT', '/api/admin/accounts/role', { body: { email, role } });
  if (answer.statusCode !== 200) throw new Error(answer.body);
}

/** Signs in with the password; returns the operator cookie. */
export async function signIn({ anyone }: TestApp, email: string): Promise<string> {
  const answer = await anyone('POST', '/api/auth/login', { body: { email, password: PASSWORD }, headers: fromPage });
  if (answer.statusCode !== 200) throw new Error(answer.body);
  return operatorCookie(answer)!;
}

export function operatorCookie(answer: LightMyRequestResponse): string | undefined {
  const found = Object.entries(cookiesOf(answer)).find(([name]) => name.endsWith('fairline-operator'));
  return found && `${found[0]}=${found[1]}`;
}

export async function look({ anyone }: TestApp, cookie: string): Promise<number> {
  return (await anyone('GET', '/api/admin/rooms', { headers: { cookie } })).statusCode;
}

export function post({ anyone }: TestApp, path: string, cookie: string, body?: object) {
  return anyone('POST', `/api/admin/${path}`, { headers: { cookie, ...fromPage }, ...(body && { body }) });
}

export function codeNow(secret: string, { clock }: TestApp, steps = 0): string {
  return codeAt(fromBase32(secret), stepAt(clock.now() / 1000) + steps);
}

/** Enrols the account of the cookie; returns its secret, its recovery codes and its new cookie. */
export async function enrol(app: TestApp, cookie: string) {
  const { secret } = (await post(app, 'second-factor', cookie)).json();
  const confirmed = await post(app, 'second-factor/confirm', cookie, { code: codeNow(secret, app) });
  if (confirmed.statusCode !== 200) throw new Error(confirmed.body);
  const recoveryCodes = confirmed.json().recoveryCodes as string[];
  return { secret: secret as string, recoveryCodes, cookie: operatorCookie(confirmed)! };
}
