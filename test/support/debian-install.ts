/** Installs what tests need from Debian, where that can be done. */
import { spawnSync } from 'node:child_process';

/** `programs`: any of them will do. Once before all tests, not by each suite: packages are installed one at a time. */
export function installIfMissing(programs: readonly string[], packages: readonly string[]): void {
  if (programs.some(isThere) || process.getuid?.() !== 0 || !isThere('apt-get')) return;
  process.stderr.write(`Installing ${packages.join(' and ')} for the tests … `);
  // A new machine has no lists of packages, or old ones; no service is started, the tests start their own.
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', ...packages]]) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const { status, stderr } = spawnSync('apt-get', ['-q', ...args], { env, encoding: 'utf8' });
    if (status !== 0) {
      process.stderr.write(`apt-get ${args[0]} failed:\n${stderr}\n`);
      return;
    }
  }
  process.stderr.write('done\n');
}

/** Debian has its servers where only root looks. */
export const serverEnv = { ...process.env, PATH: `${process.env.PATH ?? ''}:/usr/sbin` };

export function isThere(program: string): boolean {
  return spawnSync('sh', ['-c', 'command -v "$0"', program], { env: serverEnv }).status === 0;
}
