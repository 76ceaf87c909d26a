/** Finds the programs of PostgreSQL, or installs Debian's where that can be done. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { installIfMissing } from './debian-install.ts';

/** Where `initdb` and `postgres` are; undefined if PostgreSQL is not here. */
export function findPostgres(): string | undefined {
  const { stdout } = spawnSync('sh', ['-c', 'ls -d /usr/lib/postgresql/*/bin | sort -V | tail -n 1'], {
    encoding: 'utf8',
  });
  const fromPath = spawnSync('sh', ['-c', 'dirname "$(readlink -f "$(command -v initdb)")"'], { encoding: 'utf8' });
  return [stdout.trim(), fromPath.stdout.trim()].find((dir) => dir !== '' && existsSync(join(dir, 'initdb')));
}

/** The server is not in the PATH where Debian has installed it, so it is looked for where it is. */
export function installPostgresIfMissing(): void {
  if (findPostgres() === undefined) installIfMissing([], ['postgresql']);
}
