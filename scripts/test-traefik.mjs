/**
 * Runs the tests of the recipes with Traefik, which has no Debian package and takes minutes to build from source:
 *
 *   FAIRLINE_TRAEFIK=/path/to/traefik node scripts/test-traefik.mjs
 *
 * Without the variable it uses the one in ~/.cache/fairline, or in the PATH.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { root, setUp } from './set-up.mjs';

const VERSION = '3.3.4';
const SUITES = ['test/recipes', 'test/attacks/conformance', 'test/docs/newcomer'];

const program = findTraefik();
if (program === undefined) {
  console.error(
    `No Traefik found. Download or build Traefik ${VERSION} or later and set FAIRLINE_TRAEFIK to its path.`,
  );
  process.exit(1);
}
setUp();
const args = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--project', 'servers', ...SUITES, '-t', 'Traefik'];
const { status } = spawnSync(process.execPath, args, {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, FAIRLINE_TRAEFIK: program },
});
process.exit(status ?? 1);

function findTraefik() {
  const kept = join(homedir(), `.cache/fairline/traefik-${VERSION}/traefik`);
  const inPath = (process.env.PATH ?? '').split(':').map((folder) => join(folder, 'traefik'));
  return [process.env.FAIRLINE_TRAEFIK, kept, ...inPath].find((path) => path !== undefined && existsSync(path));
}
