/** Finds the programs of PostgreSQL, or installs Debian's where that can be done. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Where `initdb` and `postgres` are; undefined if PostgreSQL is not here. */
export function findPostgres(): string | undefined {
  const { stdout } = spawnSync('sh', ['-c', 'ls -d /usr/lib/postgresql/*/bin | sort -V | tail -n 1'], {
    encoding: 'utf8',
  });
  const fromPath = spawnSync('sh', ['-c', 'dirname "$(readlink -f "$(command -v initdb)")"'], { encoding: 'utf8' });
  return [stdout.trim(), fromPath.stdout.trim()].find((dir) => dir !== '' && existsSync(join(dir, 'initdb')));
}

/** Once before all tests, not by each suite: packages are installed one at a time. */
export function installPostgresIfMissing(): void {
  if (findPostgres() !== undefined || process.getuid?.() !== 0) return;
  if (spawnSync('apt-get', ['--version']).status !== 0) return;
  process.stderr.write('Installing postgresql for the tests … ');
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', 'postgresql']]) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const { status, stderr } = spawnSync('apt-get', ['-q', ...args], { env, encoding: 'utf8' });
    if (status !== 0) {
      process.stderr.write(`apt-get ${args[0]} failed:\n${stderr}\n`);
      return;
    }
  }
  process.stderr.write('done\n');
}
