/** A real PostgreSQL server for tests, in a temporary folder. */
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
  /** Creates an empty database and returns its URL. */
  createDatabase(): Promise<string>;
  /** Stops at once, like a crash; the data stays. */
  halt(): Promise<void>;
  /** Restarts on the same port. */
  resume(): Promise<void>;
  stop(): Promise<void>;
}

const HOW_TO_ENABLE = 'needs PostgreSQL 15 or later (Debian: apt-get install postgresql)';
/** Durability is not under test, so fsync is off. */
const SETTINGS = [
  'fsync=off',
  'max_connections=100',
  'shared_buffers=32MB',
  'autovacuum=off',
  'deadlock_timeout=100ms',
];

/** A suite that needs PostgreSQL. Without it the suite is skipped with a reason; in CI it fails. */
export function describeWithPostgres(name: string, suite: () => void): void {
  if (findPostgres() !== undefined) describe(name, suite);
  else if (process.env.CI === 'true') describe(name, failWithoutPostgres);
  else describe.skip(`${name}: ${HOW_TO_ENABLE}`, suite);
}

export async function startPostgres(settings: readonly string[] = SETTINGS): Promise<PostgresServer> {
  const bin = findPostgres();
  if (bin === undefined) throw new Error(HOW_TO_ENABLE);
  const owner = postgresUser();
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
    // An interrupted run does not reach its cleanup.
    process.once('exit', () => child.kill('SIGQUIT'));
    await until(`PostgreSQL on port ${port}`, () => canConnect(`${url}/postgres`));
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

/** Runs one query on a new connection. */
export async function ask(url: string, query: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url);
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(query)).rows;
  } finally {
    await client.end();
  }
}

/** PostgreSQL refuses to run as root; Debian's package creates the user `postgres`. */
function postgresUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (flag: string) => Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout);
  return { uid: idOf('-u'), gid: idOf('-g') };
}

async function canConnect(url: string): Promise<boolean> {
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
