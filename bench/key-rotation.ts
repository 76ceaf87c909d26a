/**
 * Rotates the keys of tokens every five seconds while visitors poll three processes and pass a gate, and counts refusals:
 * there must be none. Then retires a key, and measures how long each process still accepts it. Not part of `npm run bench`:
 * `node dist/bench/key-rotation.js [seconds]`. Needs redis-server.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { benchSecrets, putRoom, startProgram, startRedis, userTokens } from './processes.ts';
import { sizeFrom } from './report.ts';

const SECONDS = sizeFrom(process.argv.slice(2), 180, 12);
const POLLS_PER_SECOND = 500;
const ROTATE_MS = 5_000;
const VISITORS = 300;
const main = fileURLToPath(new URL('../src/main.js', import.meta.url));
const dir = mkdtempSync(join(tmpdir(), 'fairline-rotation-'));
const keys = join(dir, 'token-keys.json');
const fairline = async (...args: string[]) => (await promisify(execFile)(process.execPath, [main, ...args])).stdout;

await fairline('keys', 'create', '--file', keys);
const redis = await startRedis();
const site = createServer((_request, response) => response.end('site')).listen(0, '127.0.0.1');
await new Promise((resolve) => site.once('listening', resolve));
const { ADMIN_TOKEN, AUTH_JWT_SECRET } = benchSecrets;
const env = {
  ...{ ADMIN_TOKEN, AUTH_JWT_SECRET, FAIRLINE_SECRET: 'one-secret-of-the-benchmark-0123456789', TOKEN_KEYS_FILE: keys },
  ...{ REDIS_URL: redis.url, PORT: '0', LOG_LEVEL: 'warn', SHOP: 'off', DEMO: 'off', LIMIT_JOIN_PER_VISITOR: '0' },
};
const lines = await Promise.all(
  [1, 2, 3].map((n) => startProgram('../src/main.js', ['start'], { ...env, DATA_DIR: join(dir, `${n}`) })),
);
const [{ port: first }] = lines as [(typeof lines)[0], ...typeof lines];
const gate = await startProgram('../src/main.js', ['gate'], {
  ...{ AUTH_JWT_SECRET, PORT: '0', LOG_LEVEL: 'warn', LIMIT_GATE_REQUESTS_PER_IP: '0' },
  GATE_UPSTREAM: `http://127.0.0.1:${(site.address() as AddressInfo).port}`,
  GATE_LINE_URL: `http://127.0.0.1:${first}`,
});
await putRoom(first, 'concert', { maxActive: VISITORS });

const agent = new Agent({ keepAlive: true, maxSockets: 64 });
const visitors = userTokens('visitor', VISITORS).map((user) => ({ user, token: '' }));
const found = { polls: 0, passes: 0, unavailable: 0, refused: [] as string[], kids: new Set<string>() };

/** A machine that is too slow answers 5xx; that says nothing about tokens. */
function note(what: string, { status, text }: { status: number; text: string }): void {
  if (status >= 500) found.unavailable += 1;
  else if (status !== 200) found.refused.push(`${what} ${status} ${text}`);
}

async function ask(port: number, method: string, path: string, headers: Record<string, string>) {
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, method, path, headers, agent }, (response) => {
      let text = '';
      response.on('data', (chunk) => (text += chunk));
      response.on('end', () => resolve({ status: response.statusCode!, text }));
    });
    sent.once('error', reject).end();
  });
}

/** A poll of one of the three processes, then the page behind the gate with the token that it gave. */
async function visit(visitor: (typeof visitors)[0], turn: number): Promise<void> {
  const authorization = `Bearer ${visitor.user}`;
  const { port } = lines[turn % lines.length]!;
  const polled = await ask(port, 'GET', '/api/queue/status/concert', { authorization });
  found.polls += 1;
  note('poll', polled);
  if (polled.status !== 200) return;
  const { entryToken } = JSON.parse(polled.text) as { entryToken?: string };
  if (entryToken === undefined) {
    found.refused.push(`poll without a token: ${polled.text}`);
    return;
  }
  found.kids.add(kidOf(entryToken));
  // The token of before too: nobody with a valid token may be refused, at the gate and at another process.
  const other = lines[(turn + 1) % lines.length]!.port;
  for (const token of new Set([entryToken, visitor.token || entryToken])) {
    const headers = { authorization, 'x-queue-entry-token': token };
    const passed = await ask(gate.port, 'GET', '/api/seats/events/concert', headers);
    const verified = await ask(other, 'GET', '/gate/verify?eventId=concert', headers);
    found.passes += 2;
    note('gate', passed);
    note('verify', verified);
  }
  visitor.token = entryToken;
}

function kidOf(token: string): string {
  return (JSON.parse(Buffer.from(token.split('.')[0]!, 'base64url').toString()) as { kid: string }).kid;
}

for (const { user } of visitors) {
  await ask(first, 'POST', '/api/queue/check/concert', { authorization: `Bearer ${user}` });
}
await delay(3_000);

let rotations = 0;
const rotating = setInterval(() => {
  rotations += 1;
  fairline('keys', 'rotate', '--file', keys).catch((error) => found.refused.push(`rotation: ${error.message}`));
}, ROTATE_MS);
const endsAt = performance.now() + SECONDS * 1000;
const startedAt = performance.now();
const underWay = new Set<Promise<void>>();
for (let turn = 0; performance.now() < endsAt; turn += 1) {
  const dueAt = startedAt + (turn * 1000) / POLLS_PER_SECOND;
  if (performance.now() < dueAt) await delay(dueAt - performance.now());
  while (underWay.size > 200) await Promise.race(underWay);
  const visiting = visit(visitors[turn % VISITORS]!, turn)
    .catch(() => {
      found.unavailable += 1;
    })
    .finally(() => underWay.delete(visiting));
  underWay.add(visiting);
}
clearInterval(rotating);
await Promise.all(underWay);
const seconds = (performance.now() - startedAt) / 1000;
console.log(
  `${rotations} rotations in ${seconds.toFixed(0)} s; ${found.polls} polls (${(found.polls / seconds).toFixed(0)}/s), ` +
    `${found.passes} verifications at the gate and another process; tokens of ${found.kids.size} keys; ` +
    `${found.refused.length} refusals, ${found.unavailable} answers 5xx`,
);
console.log(found.refused.slice(0, 5));

// A token of a key that no longer signs, until it is refused by the gate and by each process.
const { user, token } = visitors[0]!;
await fairline('keys', 'rotate', '--file', keys, '--after', '0');
await delay(3_000);
await fairline('keys', 'retire', kidOf(token), '--file', keys);
const retiredAt = performance.now();
const headers = { authorization: `Bearer ${user}`, 'x-queue-entry-token': token };
const places = [
  { name: 'gate', port: gate.port, path: '/api/seats/events/concert' },
  ...lines.map(({ port }, index) => ({ name: `process ${index + 1}`, port, path: '/gate/verify?eventId=concert' })),
];
await Promise.all(
  places.map(async ({ name, port, path }) => {
    while ((await ask(port, 'GET', path, headers)).status === 200) await delay(50);
    console.log(`${name}: refused ${((performance.now() - retiredAt) / 1000).toFixed(1)} s after the key was retired`);
  }),
);

agent.destroy();
await Promise.all([...lines, gate].map((started) => started.stop()));
redis.stop();
site.close();
rmSync(dir, { recursive: true, force: true });
process.exit(found.refused.length === 0 ? 0 : 1);
