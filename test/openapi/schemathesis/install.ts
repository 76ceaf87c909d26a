/** Installs Schemathesis from PyPI for tests, in an environment of its own that later runs find. */
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installIfMissing, isThere } from '../../support/debian-install.ts';

const VERSION = '4.32.5';
const root = join(import.meta.dirname, '../../..');
const home = join(root, `node_modules/.cache/schemathesis-${VERSION}`);
/** Written last: a folder without it is a broken installation. */
const stamp = join(home, 'complete');

/** The program; undefined if there is no Python, or PyPI cannot be reached. */
export function installSchemathesis(): string | undefined {
  const program = join(home, 'bin/schemathesis');
  if (existsSync(stamp)) return program;
  installIfMissing(['python3'], ['python3', 'python3-venv']);
  if (!isThere('python3')) return undefined;
  rmSync(home, { recursive: true, force: true });
  if (!makeEnvironment() || !runs(join(home, 'bin/pip'), ['install', '-q', `schemathesis==${VERSION}`]))
    return undefined;
  writeFileSync(stamp, VERSION);
  return program;
}

/** Debian has Python without the part that makes environments. */
function makeEnvironment(): boolean {
  if (runs('python3', ['-m', 'venv', home])) return true;
  installIfMissing(['no-program-tells'], ['python3-venv']);
  return runs('python3', ['-m', 'venv', home]);
}

function runs(command: string, args: string[]): boolean {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', timeout: 240_000 });
  if (status !== 0) process.stderr.write(`${command} failed:\n${stdout}${stderr}\n`);
  return status === 0;
}
