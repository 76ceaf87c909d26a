/**
 * `node scripts/trace-join.mjs`: prints the source files outside src/platform/ that run when a user joins a full room,
 * on the embedded store and on Redis. A file is listed if one of its functions is called between the request and its
 * response, as V8's coverage counts calls. The shop is off; `SHOP=on` traces the embedded store with it. Needs
 * redis-server in the PATH.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root, setUp } from './set-up.mjs';

setUp();
const compiled = pathToFileURL(join(root, 'dist/src/')).href;
const { readConfig } = await import(`${compiled}config/read-config.js`);
const { createContext } = await import(`${compiled}compose/context.js`);
const { buildApp } = await import(`${compiled}compose/app.js`);
const { createTokenSigner } = await import(`${compiled}platform/jwt/tokens.js`);
const { pino } = await import('pino');

const secretNames = ['ADMIN_TOKEN', 'AUTH_JWT_SECRET', 'QUEUE_ENTRY_TOKEN_SECRET', 'VWR_TOKEN_SECRET', 'GUEST_SECRET'];
const secrets = Object.fromEntries(secretNames.map((name) => [name, `${name}-of-this-trace-0123456789abcdef`]));
const sign = createTokenSigner({ secret: secrets.AUTH_JWT_SECRET, typ: 'JWT' });
const folder = mkdtempSync(join(tmpdir(), 'fairline-trace-'));
try {
  const shop = process.env.SHOP ?? 'off';
  print('embedded store', await traceJoin({ DATA_DIR: join(folder, 'embedded'), SHOP: shop }));
  const redis = await startRedis();
  try {
    print('Redis', await traceJoin({ DATA_DIR: join(folder, 'redis'), SHOP: 'off', REDIS_URL: redis.url }));
  } finally {
    redis.stop();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Runs no background role: a tick during the request would count too. */
async function traceJoin(env) {
  const config = readConfig({ ...secrets, DEMO: 'off', QUEUE_THRESHOLD: '1', ...env });
  const stopping = new AbortController().signal;
  const context = await createContext({ config, version: 'trace', log: pino({ level: 'silent' }), stopping });
  const app = await buildApp(context);
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  await context.line.rooms.putRoom('concert', {});
  // The first visitor fills the room, the second begins the line.
  for (const user of ['first', 'second']) await joinAs(user, url);
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await session.post('Profiler.takePreciseCoverage');
  const answer = await joinAs('third', url);
  const { result } = await session.post('Profiler.takePreciseCoverage');
  session.disconnect();
  if (answer.status !== 'queued') throw new Error(`the visitor should wait: ${JSON.stringify(answer)}`);
  await app.close();
  await context.close();
  return result.filter(hasRun).map(({ url }) => url.slice(compiled.length).replace(/\.js$/, '.ts'));
}

async function joinAs(sub, url) {
  const iat = Math.floor(Date.now() / 1000);
  const headers = { authorization: `Bearer ${sign({ sub, iat, exp: iat + 60 })}` };
  return (await fetch(`${url}/api/queue/check/concert`, { method: 'POST', headers })).json();
}

function hasRun({ url, functions }) {
  if (!url.startsWith(compiled) || url.startsWith(`${compiled}platform/`)) return false;
  return functions.some(({ ranges }) => ranges[0].count > 0);
}

function print(title, files) {
  console.log(`${title}: ${files.length} files`);
  for (const file of files.sort()) console.log(`  ${file}`);
}

async function startRedis() {
  const port = await freePort();
  const args = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--dir', folder];
  const child = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const output = child.stdout.iterator({ destroyOnReturn: false });
  for await (const text of output) if (String(text).includes('Ready to accept connections')) break;
  return { url: `redis://127.0.0.1:${port}`, stop: () => child.kill() };
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
