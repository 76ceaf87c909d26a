/**
 * Everything a fresh clone needs before it can run: packages installed as the lockfile says, sources compiled. Each
 * step is skipped when nothing it depends on has changed, so that a second start is quick.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
const compiled = ['src', 'bench', 'lambda'];

export function setUp() {
  requireNode();
  once('node_modules/.fairline-installed', hashOf(['package-lock.json']), 'Installing packages', install);
  const sources = hashOf([
    'tsconfig.json',
    'tsconfig.build.json',
    'package-lock.json',
    ...compiled.flatMap(filesBelow).filter((path) => !path.startsWith('src/pages/shop/')),
  ]);
  once('dist/.fairline-built', sources, 'Compiling', build);
  const pages = hashOf(['package-lock.json', 'scripts/build-pages.mjs', ...filesBelow('src/pages')]);
  once('dist/pages/.fairline-built', pages, 'Building pages', buildPages);
  const pglite = hashOf(['scripts/make-pglite-template.mjs', 'node_modules/@electric-sql/pglite/package.json']);
  once('dist/.fairline-pglite', pglite, 'Preparing the embedded database', makePgliteTemplate);
  const client = hashOf([
    'package.json',
    ...['api-page', 'build-client', 'client-types'].map((name) => `scripts/${name}.mjs`),
  ]);
  once('dist/client/.fairline-built', sources + client, 'Describing the API', buildClient);
}

function requireNode() {
  const [major, minor, patch] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && (minor > 19 || (minor === 19 && patch >= 4)))) return;
  console.error(`Fairline needs Node 20.19.4 or later; this is ${process.versions.node}.`);
  process.exit(1);
}

/** Runs `work` unless the stamp file says that it was done for the same input. */
function once(stamp, input, title, work) {
  const path = join(root, stamp);
  if (existsSync(path) && readFileSync(path, 'utf8') === input) return;
  const startedAt = Date.now();
  process.stderr.write(`${title} … `);
  work();
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, input);
  process.stderr.write(`done in ${((Date.now() - startedAt) / 1000).toFixed(1)} s\n`);
}

function install() {
  const npm = process.env.npm_execpath;
  const [command, args] = npm ? [process.execPath, [npm]] : ['npm', []];
  // `npm pack --dry-run` passes its option on to every npm below it.
  run(command, [...args, 'ci', '--include=dev', '--no-dry-run', '--no-audit', '--no-fund', '--loglevel=error']);
}

function build() {
  for (const folder of compiled) rmSync(join(root, 'dist', folder), { recursive: true, force: true });
  run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json']);
  // Read at run time and not compiled: Lua scripts and migrations.
  const asTheyAre = filesBelow('src').filter((path) => /\.(?:lua|sql)$/.test(path));
  for (const path of asTheyAre) {
    mkdirSync(dirname(join(root, 'dist', path)), { recursive: true });
    copyFileSync(join(root, path), join(root, 'dist', path));
  }
}

function buildPages() {
  run(process.execPath, [join(root, 'scripts/build-pages.mjs')]);
}

function buildClient() {
  run(process.execPath, [join(root, 'scripts/build-client.mjs')]);
}

function makePgliteTemplate() {
  run(process.execPath, [join(root, 'scripts/make-pglite-template.mjs'), join(root, 'dist/pglite-template.tar.gz')]);
}

function run(command, args) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd: root, encoding: 'utf8' });
  if (status === 0) return;
  console.error(`\n${command} ${args.join(' ')} failed:\n${error ?? ''}${stdout ?? ''}${stderr ?? ''}`);
  process.exit(1);
}

function hashOf(paths) {
  const hash = createHash('sha256');
  for (const path of paths)
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0');
  return hash.digest('hex');
}

export function filesBelow(folder) {
  if (!existsSync(join(root, folder))) return [];
  const entries = readdirSync(join(root, folder), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .sort();
}
