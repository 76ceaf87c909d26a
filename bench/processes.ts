/** Starts the programs under test, each in its own process. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import { createTokenSigner } from '../src/platform/jwt/tokens.ts';

export const benchSecrets = {
  ADMIN_TOKEN: 'operator-token-of-the-benchmark',
  AUTH_JWT_SECRET: 'auth-secret-of-the-benchmark-0123456789',
  QUEUE_ENTRY_TOKEN_SECRET: 'entry-secret-of-the-benchmark-0123456789',
  VWR_TOKEN_SECRET: 'vwr-secret-of-the-benchmark-0123456789',
  GUEST_SECRET: 'guest-secret-of-the-benchmark-0123456789',
  PAYMENT_WEBHOOK_SECRET: 'webhook-secret-of-the-benchmark-0123456789',
  TICKET_SECRET: 'ticket-secret-of-the-benchmark-0123456789',
};

export interface Started {
  port: number;
  child: ChildProcess;
  stop(): Promise<void>;
}

export async function startProgram(script: string, args: string[], env: Record<string, string>): Promise<Started> {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const child = spawn(process.execPath, [path, ...args], {
    env: { ...benchEnv(), ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const port = await new Promise<number>((resolve, reject) => {
    let output = '';
    child.stdout?.on('data', (chunk) => {
      output += chunk;
      const found = /listen(?:s|ing) on http:\/\/\S+:(\d+)/.exec(output)?.[1];
      if (found !== undefined) resolve(Number(found));
    });
    child.once('exit', () => reject(new Error(`${script} stopped: ${output}`)));
  });
  return {
    port,
    child,
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

/** Fairline on embedded stores, in a temporary folder. */
export async function startFairline(env: Record<string, string> = {}): Promise<Started> {
  const dir = mkdtempSync(join(tmpdir(), 'fairline-bench-'));
  const settings = {
    ...benchSecrets,
    DATA_DIR: dir,
    PORT: '0',
    LOG_LEVEL: 'warn',
    // The embedded database runs on the same thread and would distort the measurement.
    SHOP: 'off',
    DEMO: 'off',
    LIMIT_JOIN_PER_VISITOR: '0',
    ...env,
  };
  const started = await startProgram('../src/main.js', ['start'], settings);
  return {
    ...started,
    async stop() {
      await started.stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

export async function putRoom(port: number, eventId: string, settings: object): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/api/admin/rooms/${eventId}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${benchSecrets.ADMIN_TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify(settings),
  });
  if (!response.ok) throw new Error(await response.text());
}

/** Each metric, summed over all labels. */
export async function readMetrics(port: number): Promise<Map<string, number>> {
  return parseMetrics(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text());
}

/** Tokens signed as the host site does, for users `prefix-0`, `prefix-1`, … */
export function userTokens(prefix: string, count: number): string[] {
  const sign = createTokenSigner({ secret: benchSecrets.AUTH_JWT_SECRET, typ: 'JWT' });
  const iat = Math.floor(Date.now() / 1000);
  return Array.from({ length: count }, (_, i) => sign({ sub: `${prefix}-${i}`, iat, exp: iat + 36_000 }));
}

const benchEnv = (): Record<string, string> => ({ PATH: '/usr/local/bin:/usr/bin:/bin', NODE_ENV: 'production' });

export const median = (values: number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

function parseMetrics(text: string): Map<string, number> {
  const metrics = new Map<string, number>();
  for (const line of text.split('\n')) {
    const match = /^([a-z_]+)(?:\{.*\})? (\S+)$/.exec(line);
    if (match !== null) metrics.set(match[1]!, (metrics.get(match[1]!) ?? 0) + Number(match[2]));
  }
  return metrics;
}

/** A Redis server without persistence, and a connection to it. */
export async function startRedis() {
  const port = await freePort();
  const options = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const server = spawn('redis-server', options, { stdio: 'ignore' });
  const url = `redis://127.0.0.1:${port}`;
  const redis = new Redis(url, { retryStrategy: () => 50 });
  redis.on('error', () => {});
  await redis.ping();
  const stop = () => {
    redis.disconnect();
    server.kill('SIGKILL');
  };
  return { url, port, redis, stop };
}

export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
