/** Finds PostgreSQL, or installs it from Debian. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { installIfMissing } from './debian-install.ts';

/** The folder of `initdb` and `postgres`, which Debian does not put in the PATH; undefined if not installed. */
export function findPostgres(): string | undefined {
  const { stdout } = spawnSync('sh', ['-c', 'ls -d /usr/lib/postgresql/*/bin | sort -V | tail -n 1'], {
    encoding: 'utf8',
  });
  const fromPath = spawnSync('sh', ['-c', 'dirname "$(readlink -f "$(command -v initdb)")"'], { encoding: 'utf8' });
  return [stdout.trim(), fromPath.stdout.trim()].find((dir) => dir !== '' && existsSync(join(dir, 'initdb')));
}

export function installPostgresIfMissing(): void {
  if (findPostgres() === undefined) installIfMissing([], ['postgresql']);
}
