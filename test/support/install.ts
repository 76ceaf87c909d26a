/** Finds the servers that tests start, or installs Debian's where that can be done. */
import { spawnSync } from 'node:child_process';

export interface Program {
  name: string;
  /** Asks it for its version. */
  versionFlag: string;
  debianPackage: string;
}

export const nginx: Program = { name: 'nginx', versionFlag: '-v', debianPackage: 'nginx-light' };

/** Debian has its servers where only root looks. */
export const serverEnv = { ...process.env, PATH: `${process.env.PATH ?? ''}:/usr/sbin` };

export function hasProgram({ name, versionFlag }: Program): boolean {
  return spawnSync(name, [versionFlag], { env: serverEnv }).status === 0;
}

/** Once before all tests, not by each suite: packages are installed one at a time. */
export function installIfMissing(program: Program): void {
  if (hasProgram(program) || process.getuid?.() !== 0 || spawnSync('apt-get', ['--version']).status !== 0) return;
  const { debianPackage } = program;
  process.stderr.write(`Installing ${debianPackage} for the tests … `);
  // A new machine has no lists of packages, or old ones; the service is not started, the tests start their own.
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', debianPackage]]) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const { status, stderr } = spawnSync('apt-get', ['-q', ...args], { env, encoding: 'utf8' });
    if (status !== 0) {
      process.stderr.write(`apt-get ${args[0]} failed:\n${stderr}\n`);
      return;
    }
  }
  process.stderr.write('done\n');
}
