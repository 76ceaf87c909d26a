/** Finds redis-server, or installs Debian's where that can be done. */
import { spawnSync } from 'node:child_process';

export function hasRedis(): boolean {
  return spawnSync('redis-server', ['--version']).status === 0;
}

/** Once before all tests, not by each suite: packages are installed one at a time. */
export function installRedisIfMissing(): void {
  if (hasRedis() || process.getuid?.() !== 0 || spawnSync('apt-get', ['--version']).status !== 0) return;
  process.stderr.write('Installing redis-server for the tests … ');
  // A new machine has no lists of packages, or old ones; the service is not started, the tests start their own.
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', 'redis-server']]) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const { status, stderr } = spawnSync('apt-get', ['-q', ...args], { env, encoding: 'utf8' });
    if (status !== 0) {
      process.stderr.write(`apt-get ${args[0]} failed:\n${stderr}\n`);
      return;
    }
  }
  process.stderr.write('done\n');
}
