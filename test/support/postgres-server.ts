/** A real PostgreSQL server for tests, in a temporary folder: one shared by all suites of a run, or one that a test stops. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { describe, inject, it } from 'vitest';
import { freePort } from './free-port.ts';
import { findPostgres } from './postgres-install.ts';
import { findOrStart } from './shared-server.ts';
import { until } from './until.ts';

export interface PostgresDatabases {
  readonly url: string;
  /** Creates an empty database and returns its URL. */
  createDatabase(): Promise<string>;
}

export interface PostgresServer extends PostgresDatabases {
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

/** A server for this suite only: one that it stops, or with other settings. */
export async function startPostgres(settings: readonly string[] = SETTINGS): Promise<PostgresServer> {
  const dir = mkdtempSync(join(tmpdir(), 'fairline-postgres-'));
  const port = await freePort();
  createCluster(dir);
  const start = async () => {
    const child = run(dir, port, settings);
    // An interrupted run does not reach its cleanup.
    process.once('exit', () => child.kill('SIGQUIT'));
    await listens(port);
    return child;
  };
  let child = await start();
  return {
    ...databasesOn(port),
    halt: () => end(child),
    async resume() {
      child = await start();
    },
    async stop() {
      await end(child);
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** The server shared by all suites of a run: initdb takes seconds, a new database a tenth of one. */
export async function sharedPostgres(): Promise<PostgresDatabases> {
  const dir = inject('postgresFolder');
  const { port } = await findOrStart(dir, async () => {
    const port = await freePort();
    createCluster(dir);
    const child = run(dir, port, [...SETTINGS, 'max_connections=500'], { detached: true });
    child.unref();
    return { port, pid: child.pid!, signal: 'SIGQUIT' };
  });
  await listens(port);
  return databasesOn(port);
}

function createCluster(dir: string): void {
  const owner = postgresUser();
  if (owner !== undefined) chownSync(dir, owner.uid, owner.gid);
  const args = ['-D', join(dir, 'data'), '-U', 'fairline', '-A', 'trust', '-E', 'UTF8', '-N'];
  const made = spawnSync(join(findOrFail(), 'initdb'), args, { ...owner, encoding: 'utf8', cwd: dir });
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
}

function run(dir: string, port: number, settings: readonly string[], { detached = false } = {}): ChildProcess {
  const args = ['-D', join(dir, 'data'), '-p', `${port}`, '-h', '127.0.0.1', '-k', dir];
  return spawn(join(findOrFail(), 'postgres'), [...args, ...settings.flatMap((setting) => ['-c', setting])], {
    ...postgresUser(),
    stdio: 'ignore',
    cwd: dir,
    detached,
  });
}

const urlOf = (port: number, database: string) => `postgres://fairline@127.0.0.1:${port}/${database}`;

async function listens(port: number): Promise<void> {
  await until(`PostgreSQL on port ${port}`, () => canConnect(urlOf(port, 'postgres')));
}

function databasesOn(port: number): PostgresDatabases {
  const url = urlOf(port, 'postgres');
  return {
    url,
    async createDatabase() {
      const name = `test_${randomBytes(6).toString('hex')}`;
      await ask(url, `create database ${name}`);
      return urlOf(port, name);
    },
  };
}

function findOrFail(): string {
  const bin = findPostgres();
  if (bin === undefined) throw new Error(HOW_TO_ENABLE);
  return bin;
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

declare module 'vitest' {
  interface ProvidedContext {
    postgresFolder: string;
  }
}
