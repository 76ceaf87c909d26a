/** A folder in which commands of the docs are typed, as in a clone of this repository, and a shell to type them into. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './blocks.ts';

const bin = join(import.meta.dirname, 'bin');

export interface Clone {
  folder: string;
  /** A process of its own group, with the commands of test/docs/bin before others of the same name. */
  spawn(script: string, env?: Record<string, string>): Typed;
  /** Ends whatever was started and removes the folder. */
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
  // A run that is broken off does not come to its clean-up.
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

/** Settings of whoever runs the tests are none of the reader's. */
const inherited = {
  HOME: process.env.HOME ?? '',
  ROOT: root,
  NODE: process.execPath,
  REAL_CURL: findProgram('curl'),
  REAL_NGINX: findProgram('nginx'),
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
    // Gone already, with all that it had started.
  }
}
