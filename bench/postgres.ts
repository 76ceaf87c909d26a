/** Starts a temporary PostgreSQL server with production durability (fsync on). */
import { spawn, spawnSync } from 'node:child_process';
import { chownSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';

const DEBIAN = '/usr/lib/postgresql';

export interface BenchPostgres {
  url: string;
  version: string;
  stop(): Promise<void>;
}

export async function startPostgres(): Promise<BenchPostgres> {
  const release = readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a))[0];
  if (release === undefined) throw new Error(`no PostgreSQL found in ${DEBIAN} (Debian: apt-get install postgresql)`);
  const bin = join(DEBIAN, release, 'bin');
  const dir = mkdtempSync(join(tmpdir(), 'fairline-bench-postgres-'));
  const owner = postgresUser();
  if (owner !== undefined) chownSync(dir, owner.uid, owner.gid);
  const data = join(dir, 'data');
  const made = spawnSync(join(bin, 'initdb'), ['-D', data, '-U', 'fairline', '-A', 'trust', '-E', 'UTF8'], {
    ...owner,
    cwd: dir,
    encoding: 'utf8',
  });
  if (made.status !== 0) throw new Error(made.stderr);
  const port = await freePort();
  const child = spawn(join(bin, 'postgres'), ['-D', data, '-p', `${port}`, '-h', '127.0.0.1', '-k', dir], {
    ...owner,
    cwd: dir,
    stdio: 'ignore',
  });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const url = `postgres://fairline@127.0.0.1:${port}/postgres`;
  while (!(await canConnect(url))) await new Promise((resolve) => setTimeout(resolve, 50));
  return {
    url,
    version: release,
    async stop() {
      child.kill('SIGINT');
      await exited;
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

async function canConnect(url: string): Promise<boolean> {
  const client = new pg.Client(url);
  client.on('error', () => {});
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

/** PostgreSQL refuses to run as root. */
function postgresUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (flag: string) => Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout);
  return { uid: idOf('-u'), gid: idOf('-g') };
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
