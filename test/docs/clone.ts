/** A folder like a clone of this repository, and shells to run the commands of the docs in. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './blocks.ts';

const bin = join(import.meta.dirname, 'bin');

export interface Clone {
  folder: string;
  /** Runs in its own process group. The commands in test/docs/bin take precedence over those of the system. */
  spawn(script: string, env?: Record<string, string>): Typed;
  /** Kills everything that was started and removes the folder. */
  remove(): Promise<void>;
}

export interface Typed {
  output(): string;
  exited: Promise<number | null>;
  isRunning(): boolean;
}

export function createClone(): Clone {
  const folder = mkdtempSync(join(tmpdir(), 'fairline-docs-'));
  for (const name of ['package.json', 'scripts']) symlinkSync(join(root, name), join(folder, name));
  mkdirSync(join(folder, 'deploy/nginx'), { recursive: true });
  const children: ChildProcess[] = [];
  // An interrupted run does not reach remove().
  process.once('exit', () => children.forEach(endGroup));
  return {
    folder,
    spawn(script, env = {}) {
      const child = spawn('bash', ['-c', script], {
        cwd: folder,
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...inherited, PATH: `${bin}:${process.env.PATH}`, TMPDIR: folder, ...env },
      });
      children.push(child);
      let output = '';
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
      const exited = once(child, 'exit').then(([code]) => code as number | null);
      return { output: () => output, exited, isRunning: () => child.exitCode === null && child.signalCode === null };
    },
    async remove() {
      children.forEach(endGroup);
      for (const child of children) if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

export function readSecrets(folder: string): Record<string, string> {
  return JSON.parse(readFileSync(join(folder, 'data/secrets.json'), 'utf8')) as Record<string, string>;
}

/** The environment of the test run is not passed on: a reader of the docs does not have it. */
const inherited = {
  HOME: process.env.HOME ?? '',
  ROOT: root,
  NODE: process.execPath,
  REAL_CURL: findProgram('curl'),
  REAL_NGINX: findProgram('nginx'),
  REAL_CADDY: findProgram('caddy'),
  REAL_HAPROXY: findProgram('haproxy'),
};

function findProgram(name: string): string {
  const folders = `${process.env.PATH}:/usr/sbin`.split(':');
  return folders.map((folder) => join(folder, name)).find(isFile) ?? name;
}

function isFile(path: string): boolean {
  try {
    readFileSync(path);
    return true;
  } catch {
    return false;
  }
}

function endGroup(child: ChildProcess): void {
  try {
    process.kill(-child.pid!, 'SIGKILL');
  } catch {
    // The group has already exited.
  }
}
