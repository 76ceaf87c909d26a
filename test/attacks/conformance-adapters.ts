/** Every way to run the gate, in front of a site that records what arrives. */
import { type IncomingMessage, type ServerResponse, request as sendRequest } from 'node:http';
import express from 'express';
import Fastify, { type FastifyInstance } from 'fastify';
import { onTestFinished } from 'vitest';
import { type CloudFrontRequest, type CloudFrontResponse, createEdgeHandler } from '../../lambda/edge-queue-check.ts';
import { createFetchHandler } from '../../src/gate/fetch/fetch-handler.ts';
import { createMiddleware } from '../../src/gate/fetch/middleware.ts';
import { gateHook } from '../../src/gate/hook.ts';
import { runGate, writeRules } from '../gate/proxy/run-gate.ts';
import { proxyRecipes, type Recipe } from '../recipes/recipes.ts';
import { runApp } from '../support/running-app.ts';
import { startSite } from '../support/site.ts';
import { secrets } from '../support/test-app.ts';
import { ACTIVE_EVENTS, rules, type Seen } from './conformance.ts';

export interface Adapter {
  name: string;
  /** The gate runs inside the application, without a proxy. */
  isInProcess: boolean;
  /** The address of the gate, and what has reached the site so far. */
  start: () => Promise<{ url: string; seen: Seen[] }>;
}

const gateSecrets = {
  entry: secrets.QUEUE_ENTRY_TOKEN_SECRET,
  vwr: secrets.VWR_TOKEN_SECRET,
  auth: secrets.AUTH_JWT_SECRET,
  cdn: 'cdn-secret-of-the-tests-0123456789abcdef',
};
const gateOptions = { secrets: gateSecrets, rules, vwrEvents: ACTIVE_EVENTS };

/** Those whose program is on this machine. */
export const adapters: Adapter[] = [
  ...proxyRecipes.filter(({ isHere }) => isHere).map(proxy),
  { name: 'fairline gate', isInProcess: false, start: startFairlineGate },
  { name: 'the Express middleware', isInProcess: true, start: startExpress },
  { name: 'the Fastify middleware', isInProcess: true, start: startFastify },
  { name: 'the Fastify hook', isInProcess: true, start: startHook },
  { name: 'the fetch handler', isInProcess: false, start: startFetchHandler },
  { name: 'Lambda@Edge', isInProcess: false, start: startLambda },
];

/** A proxy that asks an instance about each request, in the configuration that deploy/ ships. */
function proxy(recipe: Recipe): Adapter {
  const start = async () => {
    const { url: fairline } = await startFairline();
    const site = await startRecorder();
    const url = await recipe.start({ fairline: new URL(fairline).host, site: new URL(site.url).host });
    return { url, seen: site.seen };
  };
  return { name: recipe.name, isInProcess: false, start };
}

async function startFairline() {
  const fairline = await runApp({ env: { ...secrets, GATE_RULES_FILE: writeRules(rules) } });
  for (const eventId of ACTIVE_EVENTS) {
    await fairline.context.line.rooms.putRoom(eventId, {});
    await fairline.context.tier1.switching.activate(eventId);
  }
  return fairline;
}

async function startFairlineGate() {
  const site = await startRecorder();
  const { url } = await runGate({ GATE_UPSTREAM: site.url, GATE_VWR_EVENTS: ACTIVE_EVENTS.join() }, rules);
  return { url, seen: site.seen };
}

async function startExpress() {
  const seen: Seen[] = [];
  const app = express();
  app.use(createMiddleware(gateOptions));
  app.use((request, response) => record(seen, request, response));
  return { url: (await startSite(app)).url, seen };
}

async function startFastify() {
  const gate = createMiddleware(gateOptions);
  return startFastifyApp((app) => {
    app.addHook('onRequest', (request, reply, done) => {
      gate(request.raw, reply.raw, done);
    });
  });
}

async function startHook() {
  const { context } = await startFairline();
  return startFastifyApp((app) => {
    app.decorateRequest('admitted', undefined).addHook('onRequest', gateHook(context.gate.guard));
  });
}

async function startFastifyApp(protect: (app: FastifyInstance) => void) {
  const seen: Seen[] = [];
  const app = Fastify();
  protect(app);
  app.setErrorHandler((error: { status?: number }, _request, reply) => reply.code(error.status ?? 400).send());
  app.all('/*', (request, reply) => {
    reply.hijack();
    record(seen, request.raw, reply.raw);
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => app.close());
  return { url, seen };
}

/** A runtime hands the handler a Request and sets the header with the client address itself. */
async function startFetchHandler() {
  const site = await startRecorder();
  const handle = createFetchHandler({ ...gateOptions, origin: site.url, clientAddressHeader: 'cf-connecting-ip' });
  const { url } = await startSite(async (request, response) => {
    const headers = new Headers();
    for (const [name, value] of pairsOf(request.rawHeaders)) headers.append(name, value);
    headers.set('cf-connecting-ip', request.socket.remoteAddress!);
    const { method = '' } = request;
    const answer = await handle(new Request(toUrl(request.url!), { method, headers }));
    response.writeHead(answer.status).end();
  });
  return { url, seen: site.seen };
}

/** CloudFront hands the function the path as sent and one entry per header name, and forwards what it returns. */
async function startLambda() {
  const site = await startRecorder();
  const handler = createEdgeHandler(gateOptions);
  const { url } = await startSite(async (request, response) => {
    const headers: CloudFrontRequest['headers'] = {};
    for (const [key, value] of pairsOf(request.rawHeaders)) {
      headers[key.toLowerCase()] = [...(headers[key.toLowerCase()] ?? []), { key, value }];
    }
    const [uri = '', querystring = ''] = request.url!.split('?');
    const event = { Records: [{ cf: { request: { method: request.method!, uri, querystring, headers } } }] };
    const result = (await handler(event)) as CloudFrontRequest & CloudFrontResponse;
    if (result.status !== undefined) response.writeHead(Number(result.status)).end();
    else forward(site.url, result, response);
  });
  return { url, seen: site.seen };
}

function forward(
  site: string,
  { method, uri, querystring, headers }: CloudFrontRequest,
  response: ServerResponse,
): void {
  const sent = sendRequest(site, { method, path: `${uri}?${querystring}`, agent: false }, (answer) => {
    response.writeHead(answer.statusCode!).end();
    answer.resume();
  });
  for (const [name, values] of Object.entries(headers)) {
    // CloudFront speaks for itself: it passes on one Host and its own Connection.
    if (!['host', 'connection'].includes(name))
      sent.setHeader(
        name,
        values.map(({ value }) => value),
      );
  }
  sent.end();
}

async function startRecorder() {
  const seen: Seen[] = [];
  return { url: (await startSite((request, response) => record(seen, request, response))).url, seen };
}

function record(seen: Seen[], request: IncomingMessage, response: ServerResponse): void {
  const { headers, rawHeaders } = request;
  // Code reads either; what is in one of them counts.
  const read = Object.entries(headers).flatMap(([name, value]) =>
    rawNames(rawHeaders).has(name) ? [] : [name, `${value}`],
  );
  seen.push({ method: request.method!, url: request.url!, rawHeaders: [...rawHeaders, ...read] });
  response.end('ok');
}

function toUrl(target: string): string {
  return target.startsWith('/') ? `http://shop.example${target}` : target;
}

function rawNames(raw: readonly string[]): Set<string> {
  return new Set(pairsOf(raw).map(([name]) => name.toLowerCase()));
}

function pairsOf(raw: readonly string[]): [string, string][] {
  return raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1]!] as [string, string]] : []));
}
