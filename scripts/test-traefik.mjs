/**
 * Runs the tests of the recipes with Traefik, which has no Debian package and takes minutes to build from source:
 *
 *   FAIRLINE_TRAEFIK=/path/to/traefik node scripts/test-traefik.mjs
 *
 * Without the variable it uses the one in ~/.cache/fairline, or in the PATH, or builds one with Go into ~/.cache/fairline.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, setUp } from './set-up.mjs';

const VERSION = '3.3.4';
const SUITES = ['test/recipes', 'test/attacks/conformance', 'test/docs/newcomer'];

const KEPT = join(homedir(), `.cache/fairline/traefik-${VERSION}/traefik`);

const program = findTraefik() ?? buildTraefik();
setUp();
const args = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--project', 'servers', ...SUITES, '-t', 'Traefik'];
const { status } = spawnSync(process.execPath, args, {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, FAIRLINE_TRAEFIK: program },
});
process.exit(status ?? 1);

function findTraefik() {
  const inPath = (process.env.PATH ?? '').split(':').map((folder) => join(folder, 'traefik'));
  return [process.env.FAIRLINE_TRAEFIK, KEPT, ...inPath].find((path) => path !== undefined && existsSync(path));
}

/** Takes minutes. Its dashboard, which needs another toolchain, is an empty page. */
function buildTraefik() {
  const source = mkdtempSync(join(tmpdir(), 'fairline-traefik-'));
  try {
    console.error(`No Traefik found; building ${VERSION} with Go …`);
    const described = execFileSync('go', ['mod', 'download', '-json', `github.com/traefik/traefik/v3@v${VERSION}`], {
      cwd: source,
      encoding: 'utf8',
    });
    cpSync(JSON.parse(described).Dir, source, { recursive: true });
    // The module cache is read-only.
    execFileSync('chmod', ['-R', 'u+w', source]);
    mkdirSync(join(source, 'webui/static'), { recursive: true });
    writeFileSync(join(source, 'webui/static/index.html'), '');
    const env = { ...process.env, CGO_ENABLED: '0' };
    execFileSync('go', ['build', '-ldflags', '-s -w', '-o', KEPT, './cmd/traefik'], {
      cwd: source,
      env,
      stdio: 'inherit',
    });
    return KEPT;
  } catch (error) {
    console.error(`${error.message}\nInstall Go, or set FAIRLINE_TRAEFIK to the path of Traefik ${VERSION} or later.`);
    process.exit(1);
  } finally {
    rmSync(source, { recursive: true, force: true });
  }
}
