/** A real PostgreSQL server for tests, on a port and in a folder of its own, stopped with the suite. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { describe, it } from 'vitest';
import { findPostgres } from './postgres-install.ts';
import { until } from './until.ts';

export interface PostgresServer {
  readonly url: string;
  /** A new, empty database; its address. */
  createDatabase(): Promise<string>;
  /** Goes away at once, as by a crash; its data stays. */
  halt(): Promise<void>;
  /** Comes back, at the same address. */
  resume(): Promise<void>;
  stop(): Promise<void>;
}

const HOW_TO_ENABLE = 'needs PostgreSQL 15 or later (Debian: apt-get install postgresql)';
/** Their safety on disk is not what is tested. */
const SETTINGS = [
  'fsync=off',
  'max_connections=100',
  'shared_buffers=32MB',
  'autovacuum=off',
  'deadlock_timeout=100ms',
];

/** A suite that needs PostgreSQL: skipped by name where there is none, except in CI, where it fails. */
export function describeWithPostgres(name: string, suite: () => void): void {
  if (findPostgres() !== undefined) describe(name, suite);
  else if (process.env.CI === 'true') describe(name, failWithoutPostgres);
  else describe.skip(`${name}: ${HOW_TO_ENABLE}`, suite);
}

export async function startPostgres(settings: readonly string[] = SETTINGS): Promise<PostgresServer> {
  const bin = findPostgres();
  if (bin === undefined) throw new Error(HOW_TO_ENABLE);
  const owner = ownerOfServers();
  const dir = mkdtempSync(join(tmpdir(), 'fairline-postgres-'));
  if (owner !== undefined) chownSync(dir, owner.uid, owner.gid);
  const data = join(dir, 'data');
  const made = spawnSync(join(bin, 'initdb'), ['-D', data, '-U', 'fairline', '-A', 'trust', '-E', 'UTF8', '-N'], {
    ...owner,
    encoding: 'utf8',
    cwd: dir,
  });
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
  const port = await freePort();
  const args = ['-D', data, '-p', `${port}`, '-h', '127.0.0.1', '-k', dir];
  const url = `postgres://fairline@127.0.0.1:${port}`;
  const run = async () => {
    const child = spawn(join(bin, 'postgres'), [...args, ...settings.flatMap((setting) => ['-c', setting])], {
      ...owner,
      stdio: 'ignore',
      cwd: dir,
    });
    // A run that is broken off does not come to its clean-up.
    process.once('exit', () => child.kill('SIGQUIT'));
    await until(`PostgreSQL on port ${port}`, () => canAsk(`${url}/postgres`));
    return child;
  };
  let child = await run();
  let count = 0;
  return {
    url: `${url}/postgres`,
    async createDatabase() {
      count += 1;
      const name = `test_${count}`;
      await ask(`${url}/postgres`, `create database ${name}`);
      return `${url}/${name}`;
    },
    halt: () => end(child),
    async resume() {
      child = await run();
    },
    async stop() {
      await end(child);
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** One question on a connection of its own. */
export async function ask(url: string, question: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url);
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(question)).rows;
  } finally {
    await client.end();
  }
}

/** The server refuses to run as root, for which Debian's package has made a user. */
function ownerOfServers(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (flag: string) => Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout);
  return { uid: idOf('-u'), gid: idOf('-g') };
}

async function canAsk(url: string): Promise<boolean> {
  return ask(url, 'select 1').then(
    () => true,
    () => false,
  );
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGQUIT');
  await exited;
}

function failWithoutPostgres(): void {
  it('has a PostgreSQL server to run on', () => {
    throw new Error(HOW_TO_ENABLE);
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}
