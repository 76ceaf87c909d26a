/** Installs Debian packages that the tests need, if running as root on Debian. */
import { spawnSync } from 'node:child_process';

/** Any one of `programs` is enough. Called once before all tests, because apt-get cannot run concurrently. */
export function installIfMissing(programs: readonly string[], packages: readonly string[]): void {
  if (programs.some(isThere) || process.getuid?.() !== 0 || !isThere('apt-get')) return;
  process.stderr.write(`Installing ${packages.join(' and ')} for the tests … `);
  // A new machine has no package lists, or old ones.
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

/** Debian installs servers in /usr/sbin, which is not in every user's PATH. */
export const serverEnv = { ...process.env, PATH: `${process.env.PATH ?? ''}:/usr/sbin` };

export function isThere(program: string): boolean {
  return spawnSync('sh', ['-c', 'command -v "$0"', program], { env: serverEnv }).status === 0;
}
