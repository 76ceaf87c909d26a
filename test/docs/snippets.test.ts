/** The code shown in the docs: compiled against the package's types, and run if it is a program. */
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { runApp } from '../support/running-app.ts';
import { startSite } from '../support/site.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { secrets } from '../support/test-app.ts';
import { until } from '../support/until.ts';
import { type Block, blocksOfKind, root } from './blocks.ts';

const SEATS = '/api/seats/events/concert';
const applications = blocksOfKind('application');
const workers = blocksOfKind('worker');

/** A project with the package and the other dependencies of the snippets installed. */
function createProject(): string {
  const folder = tempFolder();
  mkdirSync(join(folder, 'node_modules/@types'), { recursive: true });
  symlinkSync(root, join(folder, 'node_modules/fairline'));
  for (const name of ['express', 'fastify', '@types/express', '@types/node']) {
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  }
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  return folder;
}

/** Declares what the snippets assume, and proves that the package's types are found and are not `any`. */
const AROUND = `
declare const eventId: string;
declare function showPosition(peopleAhead: number, estimatedWait: number): void;
declare function showRoom(state: string, message: unknown): void;
declare function showGone(reason: string): void;
declare function startPolling(): void;
`;
const PROOF = `
import { createEdgeGate, createFetchHandler, createMiddleware } from 'fairline/gate';
export const good = [createEdgeGate({ secrets: {} }), createFetchHandler({ secrets: {} }), createMiddleware({ secrets: {} })];
// @ts-expect-error: secrets are strings.
createMiddleware({ secrets: { entry: 5 } });
// @ts-expect-error: a decision is a promise.
createEdgeGate({ secrets: {} })({ method: 'GET', target: '/', headers: {} }).outcome;
`;

describe('code of the docs', () => {
  it('compiles, in a project that has installed the package', () => {
    const folder = createProject();
    const blocks = [...applications, ...workers, ...blocksOfKind('types')];
    for (const [index, { text, language }] of blocks.entries()) {
      writeFileSync(join(folder, `snippet-${index}.${language}`), text);
    }
    writeFileSync(join(folder, 'around.d.ts'), AROUND);
    writeFileSync(join(folder, 'proof.ts'), PROOF);
    const compilerOptions = {
      target: 'es2023',
      module: 'nodenext',
      lib: ['es2023', 'dom'],
      types: ['node'],
      strict: true,
      noImplicitAny: false,
      allowJs: true,
      checkJs: true,
      noEmit: true,
      skipLibCheck: true,
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
    const compile = () =>
      execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder], {
        encoding: 'utf8',
      });
    expect(attempt(compile)).toBe('');
  });

  it.each(applications.map((block) => [block.where, block] as const))('runs: %s', async (_where, block) => {
    const line = await runApp({ env: secrets, room: {} });
    const url = await startApplication(block, line.url);
    await expectGate((path, init) => fetch(`${url}${path}`, init), line.url);
    await expectLine(url);
  });

  it.each(blocksOfKind('next').map((block) => [block.where, block] as const))('routes: %s', async (_where, block) => {
    const line = await runApp({ env: secrets, room: {} });
    const folder = createProject();
    mkdirSync(join(folder, 'node_modules/next'));
    writeFileSync(join(folder, 'node_modules/next/package.json'), '{"exports": {"./server": "./server.js"}}');
    writeFileSync(join(folder, 'node_modules/next/server.js'), NEXT_STAND_IN);
    writeFileSync(join(folder, 'proxy.js'), block.text.replace('http://127.0.0.1:3000', line.url));
    Object.assign(process.env, secrets);
    onTestFinished(() => {
      for (const name of Object.keys(secrets)) delete process.env[name];
    });
    const { proxy } = (await import(pathToFileURL(join(folder, 'proxy.js')).href)) as {
      proxy: (request: Request) => Promise<Response>;
    };
    const ask = (path: string, init?: RequestInit) => proxy(new Request(`https://shop.example${path}`, init));
    const refused = await ask('/shop/concert/seats/12');
    expect([refused.status, refused.headers.get('location')]).toEqual([
      302,
      expect.stringMatching('^https://shop.example/queue/concert'),
    ]);
    const { cookie, visitor } = await joinLine(line.url);
    const headers = { cookie, 'x-fairline-visitor': 'admin', 'x-forwarded-for': '198.51.100.7' };
    const passed = await ask('/shop/concert/seats/12', { headers });
    expect(passed.headers.get('x-middleware-next')).toBe('1');
    expect(passed.headers.get('x-middleware-request-x-fairline-visitor')).toBe(encodeURIComponent(visitor));
    const waiting = await ask('/queue/concert?to=%2Fshop', { headers });
    expect(waiting.headers.get('x-middleware-rewrite')).toBe(`${line.url}/queue/concert?to=%2Fshop`);
    expect(waiting.headers.get('x-middleware-request-x-forwarded-for')).toBe('198.51.100.7');
  });

  it.each(workers.map((block) => [block.where, block] as const))('answers: %s', async (_where, block) => {
    const line = await runApp({ env: secrets, room: {} });
    const site = await startSite();
    const file = join(createProject(), 'worker.js');
    const local = block.text
      .replace('https://line.example.com', line.url)
      .replace('https://origin.example.com', site.url);
    writeFileSync(file, local);
    const { default: worker } = (await import(pathToFileURL(file).href)) as { default: Worker };
    const ask = (path: string, init?: RequestInit) =>
      worker.fetch(new Request(`https://shop.example${path}`, init), secrets);
    expect((await ask(SEATS)).status).toBe(403);
    const { cookie } = await joinLine(line.url);
    expect(await (await ask(SEATS, { headers: { cookie } })).json()).toMatchObject({ url: SEATS });
    expect((await ask('/queue/concert')).headers.get('content-type')).toMatch('text/html');
  });
});

/** What Next.js does: it names what to do with the request in headers of the response. */
const NEXT_STAND_IN = `
const withRequest = (headers, { request } = {}) => {
  const names = [...(request?.headers.keys() ?? [])];
  headers.set('x-middleware-override-headers', names.join());
  for (const name of names) headers.set('x-middleware-request-' + name, request.headers.get(name));
  return new Response(null, { headers });
};
export const NextResponse = {
  next: (init) => withRequest(new Headers({ 'x-middleware-next': '1' }), init),
  rewrite: (url, init) => withRequest(new Headers({ 'x-middleware-rewrite': String(url) }), init),
};
`;

/** The application forwards requests about waiting to the line: pages, joins with their cookies, and streams. */
async function expectLine(url: string): Promise<void> {
  const page = await fetch(`${url}/queue/concert`);
  expect([page.status, page.headers.get('content-type'), await page.text()]).toEqual([
    200,
    expect.stringContaining('text/html'),
    expect.stringContaining('<html'),
  ]);
  const body = JSON.stringify({ event_id: 'concert' });
  const claim = await fetch(`${url}/api/v1/queue/join`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': 'once' },
    body,
  });
  expect([claim.status, claim.headers.getSetCookie().length > 0]).toEqual([202, true]);
  const [cookie] = claim.headers.getSetCookie().map((text) => text.split(';')[0]!);
  const leaving = new AbortController();
  const stream = await fetch(`${url}/events/concert/tickets/waiting`, {
    headers: { cookie: cookie!, accept: 'text/event-stream' },
    signal: leaving.signal,
  });
  const { value } = await stream.body!.getReader().read();
  expect(new TextDecoder().decode(value)).toMatch(/^(id|event|retry|data|:)/);
  leaving.abort();
}

interface Worker {
  fetch(request: Request, env: object): Promise<Response>;
}

/** Refuses a visitor without a token, passes one with a token, and tells the routes the event. */
async function expectGate(
  ask: (path: string, init?: RequestInit) => Promise<Response>,
  lineUrl: string,
): Promise<void> {
  const refused = await ask(SEATS);
  expect([refused.status, await refused.json()]).toMatchObject([403, { redirectTo: '/queue/concert' }]);
  expect((await ask('/API/Seats/events/concert')).status).toBe(403);
  const { cookie, visitor } = await joinLine(lineUrl);
  expect(await (await ask(SEATS, { headers: { cookie } })).json()).toEqual({ seats: [], visitor });
  const reserve = (eventId: string) =>
    ask('/api/reservations', {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ eventId }),
    });
  expect((await reserve('concert')).status).toBe(201);
  expect((await reserve('festival')).status).toBe(403);
}

/** Joins as a guest, who is admitted at once, and returns the cookies. */
async function joinLine(lineUrl: string): Promise<{ cookie: string; visitor: string }> {
  const joined = await fetch(`${lineUrl}/api/queue/check/concert`, { method: 'POST' });
  const cookie = joined.headers
    .getSetCookie()
    .map((text) => text.split(';')[0])
    .join('; ');
  const { entryToken } = (await joined.json()) as { entryToken: string };
  const { uid } = JSON.parse(Buffer.from(entryToken.split('.')[1]!, 'base64url').toString());
  return { cookie, visitor: uid };
}

async function startApplication({ text }: Block, lineUrl: string): Promise<string> {
  const file = join(createProject(), 'application.js');
  writeFileSync(file, text.replace('http://127.0.0.1:3000', lineUrl));
  const port = await freePort();
  const child = spawn(process.execPath, [file], {
    env: { ...secrets, PORT: `${port}` },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  child.stderr.on('data', (chunk) => (output += chunk));
  const url = `http://localhost:${port}`;
  await until('the application to listen', async () => {
    if (child.exitCode !== null) throw new Error(output);
    return fetch(url).then(
      () => true,
      () => false,
    );
  });
  return url;
}

/** The output of a program that failed. */
function attempt(run: () => string): string {
  try {
    return run();
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}
