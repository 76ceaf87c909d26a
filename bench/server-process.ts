/** The program in a process of its own, as it is run in earnest, and what it says of itself. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const ADMIN_TOKEN = 'the operator of a benchmark';

export interface ServerProcess {
  url: string;
  putRoom(eventId: string, change: Record<string, unknown>): Promise<void>;
  /** The sum over all labels of each metric. */
  readMetrics(): Promise<Map<string, number>>;
  stop(): Promise<void>;
}

export async function startServer(env: Record<string, string>): Promise<ServerProcess> {
  const dataDir = mkdtempSync(join(tmpdir(), 'fairline-bench-'));
  const main = fileURLToPath(new URL('../src/main.js', import.meta.url));
  const child = spawn(process.execPath, [main, 'start'], {
    env: { PATH: process.env.PATH, PORT: '0', LOG_LEVEL: 'warn', DEMO: 'off', DATA_DIR: dataDir, ADMIN_TOKEN, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const url = /http:\S+/.exec(line)![0];
  return {
    url,
    async putRoom(eventId, change) {
      const headers = { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' };
      const body = JSON.stringify(change);
      const answer = await fetch(`${url}/api/admin/rooms/${eventId}`, { method: 'PUT', headers, body });
      if (!answer.ok) throw new Error(await answer.text());
    },
    readMetrics: async () => parseMetrics(await (await fetch(`${url}/metrics`)).text()),
    async stop() {
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

function parseMetrics(text: string): Map<string, number> {
  const metrics = new Map<string, number>();
  for (const line of text.split('\n')) {
    const match = /^([a-z_]+)(?:\{.*\})? (\S+)$/.exec(line);
    if (match !== null) metrics.set(match[1]!, (metrics.get(match[1]!) ?? 0) + Number(match[2]));
  }
  return metrics;
}
