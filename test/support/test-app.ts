/** The real application on the embedded stores; requests are injected without a network. */
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { buildApp } from '../../src/compose/app.ts';
import { type Context, createContext } from '../../src/compose/context.ts';
import { readConfig } from '../../src/config/read-config.ts';
import type { Members } from '../../src/line/priority.ts';
import { createTokenSigner } from '../../src/platform/jwt/tokens.ts';
import { tempFolder } from './temp-folder.ts';
import { createTestClock, type TestClock } from './test-clock.ts';
import { chooseTransport } from './transport.ts';

export const secrets = {
  ADMIN_TOKEN: 'operator-token-of-the-tests',
  AUTH_JWT_SECRET: 'auth-secret-of-the-tests-0123456789abcdef',
  QUEUE_ENTRY_TOKEN_SECRET: 'entry-secret-of-the-tests-0123456789abcdef',
  VWR_TOKEN_SECRET: 'vwr-secret-of-the-tests-0123456789abcdef',
  GUEST_SECRET: 'guest-secret-of-the-tests-0123456789abcdef',
  PAYMENT_WEBHOOK_SECRET: 'webhook-secret-of-the-tests-0123456789abcdef',
  TICKET_SECRET: 'ticket-secret-of-the-tests-0123456789abcdef',
};

export interface TestApp {
  app: FastifyInstance;
  context: Context;
  clock: TestClock;
  dataDir: string;
  /** Sends requests as a user of the host site, as an operator, or without credentials. */
  as(user: string): Asker;
  operator: Asker;
  anyone: Asker;
  /** A token signed as the host site does. */
  userToken(user: string, claims?: Record<string, unknown>): string;
}

export type Asker = (
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  url: string,
  options?: Pick<InjectOptions, 'headers'> & { body?: unknown },
) => Promise<LightMyRequestResponse>;

export async function createTestApp(env: Record<string, string> = {}, members?: Members): Promise<TestApp> {
  const clock = createTestClock();
  const dataDir = tempFolder();
  const config = readConfig({ ...secrets, DATA_DIR: dataDir, QUEUE_THRESHOLD: '2', DEMO: 'off', ...env });
  const log = pino({ level: 'silent' });
  const stopping = new AbortController().signal;
  const context = await createContext({ config, version: 'test', log, clock, stopping, ...(members && { members }) });
  const app = await buildApp(context);
  chooseTransport(app);
  onTestFinished(async () => {
    await app.close();
    await context.close();
  });
  const sign = createTokenSigner({ secret: secrets.AUTH_JWT_SECRET, typ: 'JWT' });
  const nowSeconds = () => Math.floor(clock.now() / 1000);
  const userToken = (user: string, claims: Record<string, unknown> = {}) =>
    sign({ sub: user, iat: nowSeconds(), exp: nowSeconds() + 3_600, ...claims });

  const asker =
    (authorization: (() => string) | undefined): Asker =>
    (method, url, { headers, body } = {}) =>
      app.inject({
        method,
        url,
        headers: { ...(authorization === undefined ? {} : { authorization: authorization() }), ...headers },
        ...(body === undefined ? {} : { payload: body as object }),
      });
  return {
    app,
    context,
    clock,
    dataDir,
    userToken,
    as: (user) => asker(() => `Bearer ${userToken(user)}`),
    operator: asker(() => `Bearer ${secrets.ADMIN_TOKEN}`),
    anyone: asker(undefined),
  };
}

/** The cookies that a response sets, by name. */
export function cookiesOf(response: LightMyRequestResponse): Record<string, string> {
  const headers = [response.headers['set-cookie'] ?? []].flat();
  return Object.fromEntries(headers.map((text) => text.split(';')[0]!.split('=') as [string, string]));
}
