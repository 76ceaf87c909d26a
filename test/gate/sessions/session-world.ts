/** A line on a real socket whose clock the test moves, a site, and every way to put a gate with sessions between them. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import express from 'express';
import Fastify, { type FastifyInstance } from 'fastify';
import { onTestFinished } from 'vitest';
import { startGate } from '../../../src/compose/gate-process.ts';
import { readGateConfig } from '../../../src/config/read-config.ts';
import { createFetchHandler } from '../../../src/gate/fetch/fetch-handler.ts';
import { createMiddleware } from '../../../src/gate/fetch/middleware.ts';
import { gateHook } from '../../../src/gate/hook.ts';
import type { SessionReport } from '../../../src/gate/sessions/session-report.ts';
import type { RoomChange } from '../../../src/line/model/room-settings.ts';
import { StoreUnavailableError } from '../../../src/platform/store-unavailable-error.ts';
import { startSite } from '../../support/site.ts';
import { createTestApp, secrets, type TestApp } from '../../support/test-app.ts';
import { ask, writeRules } from '../proxy/run-gate.ts';

export const rules = {
  otherwise: 'pass',
  rules: [
    { path: '/shop/{eventId}/**', require: 'entry', answer: 'page' },
    { path: '/api/orders/{eventId}', require: 'entry' },
  ],
};

export interface SessionWorld extends TestApp {
  lineUrl: string;
  /** What gates have reported, call by call. */
  reports: SessionReport[];
  /** True: the line answers 503 to reports. */
  outage: { isOn: boolean };
  visitor(name: string): Visitor;
}

export interface Visitor {
  cookies: Map<string, string>;
  headers(): Record<string, string>;
  join(): Promise<string>;
  /** The status, and the page it leads to. */
  visit(url: string, path?: string): Promise<string>;
}

export async function openWorld(room: RoomChange = {}, env: Record<string, string> = {}): Promise<SessionWorld> {
  const app = await createTestApp({ SHOP: 'off', GATE_RULES_FILE: writeRules(rules), ...env });
  await app.context.line.rooms.putRoom('concert', {
    maxActive: 2,
    activeTtlMs: 8_000,
    activeMaxTtlMs: 40_000,
    ...room,
  });
  const reports: SessionWorld['reports'] = [];
  const outage = { isOn: false };
  const { desk } = app.context.gate;
  const take = desk.report.bind(desk);
  desk.report = async (report) => {
    if (outage.isOn) throw new StoreUnavailableError('an outage of the test');
    reports.push(report);
    return take(report);
  };
  const lineUrl = await app.app.listen({ host: '127.0.0.1', port: 0 });
  return { ...app, lineUrl, reports, outage, visitor: (name) => createVisitor(app, lineUrl, name) };
}

function createVisitor(app: TestApp, lineUrl: string, name: string): Visitor {
  const cookies = new Map<string, string>();
  const keep = (set: readonly string[] = []) => {
    for (const text of set) {
      const [cookie = '', value = ''] = text.split(';')[0]!.split('=');
      if (/max-age=0/i.test(text)) cookies.delete(cookie);
      else cookies.set(cookie, value);
    }
  };
  const headers = () => ({
    authorization: `Bearer ${app.userToken(name)}`,
    cookie: [...cookies].map(([cookie, value]) => `${cookie}=${value}`).join('; '),
  });
  return {
    cookies,
    headers,
    async join() {
      const response = await ask(lineUrl, '/api/queue/check/concert', { method: 'POST', headers: headers() });
      keep(response.headers['set-cookie']);
      return response.json.status;
    },
    async visit(url, path = '/shop/concert/seats') {
      const response = await ask(url, path, { headers: headers() });
      keep(response.headers['set-cookie']);
      if (response.headers['x-fairline-release'] !== undefined) throw new Error('the visitor sees the release header');
      const to = response.headers.location ?? response.json?.redirectTo;
      return [response.status, to?.split('?')[0]].filter((part) => part !== undefined).join(' ');
    },
  };
}

/** Sets a cookie of its own, and ends the session where the path says so. */
function answerAsShop(request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('set-cookie', 'cart=7');
  if (request.url!.endsWith('/thanks')) response.setHeader('X-Fairline-Release', '1');
  response.end('the shop');
}

export type StartGate = (world: SessionWorld) => Promise<{ url: string }>;

export const gates: Record<string, StartGate> = {
  'fairline gate': async ({ lineUrl, clock }) => {
    const site = await startSite(answerAsShop);
    const env = { ...secrets, PORT: '0', LOG_LEVEL: 'silent', STOP_TIMEOUT_MS: '0', GATE_UPSTREAM: site.url };
    const config = readGateConfig({ ...env, GATE_LINE_URL: lineUrl, GATE_RULES_FILE: writeRules(rules) }, {});
    const gate = await startGate(config, 'test', clock);
    onTestFinished(() => gate.stop());
    return gate;
  },
  'Express middleware': async (world) => {
    const app = express();
    app.use(createMiddleware(optionsOf(world)));
    app.use((request, response) => {
      response.cookie('cart', '7');
      if (request.path.endsWith('/thanks')) response.set('X-Fairline-Release', '1');
      response.send('the shop');
    });
    return { url: (await startSite(app)).url };
  },
  'Fastify middleware': async (world) => {
    const gate = createMiddleware(optionsOf(world));
    const app = Fastify();
    app.addHook('onRequest', (request, reply, done) => {
      gate(request.raw, reply.raw, done);
    });
    return { url: await serveFastify(app) };
  },
  'hook of an instance': async ({ context }) => {
    const app = Fastify();
    app.decorateRequest('admitted', undefined).addHook('onRequest', gateHook(context.gate.guard));
    app.setErrorHandler((error: { status?: number; redirectTo?: string }, _request, reply) =>
      reply.code(error.status ?? 500).send({ redirectTo: error.redirectTo }),
    );
    return { url: await serveFastify(app) };
  },
  'fetch handler': async (world) => {
    const site = await startSite(answerAsShop);
    const handle = createFetchHandler({ ...optionsOf(world), origin: site.url });
    const { url } = await startSite(async (request, response) => {
      const { method = '', headers } = request;
      const answer = await handle(
        new Request(`http://shop.example${request.url}`, { method, headers: headers as never }),
      );
      const fields = [...answer.headers].filter(([name]) => name !== 'content-length');
      response.writeHead(answer.status, fields.flat()).end(await answer.text());
    });
    return { url };
  },
};

export function optionsOf({ lineUrl, clock }: SessionWorld) {
  const { QUEUE_ENTRY_TOKEN_SECRET: entry, AUTH_JWT_SECRET: auth } = secrets;
  return { secrets: { entry, auth }, rules, lineUrl, now: clock.now };
}

async function serveFastify(app: FastifyInstance): Promise<string> {
  app.get('/*', async (request, reply) => {
    reply.header('set-cookie', 'cart=7');
    if (request.url.endsWith('/thanks')) reply.header('x-fairline-release', '1');
    return 'the shop';
  });
  onTestFinished(() => app.close());
  return app.listen({ host: '127.0.0.1', port: 0 });
}
