/** The package as its users have it: packed, and installed in an empty project. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
// @ts-expect-error: a plain script without types.
import { findNode, installNode, nodeVersions } from '../../scripts/node-versions.mjs';
import { root } from '../docs/blocks.ts';

export interface Installed {
  /** The folder of both; remove it after the tests. */
  folder: string;
  /** The project. */
  project: string;
  /** Paths in the tarball, such as `dist/src/main.js`. */
  files: string[];
  /** What npm printed while it installed. */
  output: string;
}

/** Variables of the `npm test` around us, which would lead npm back to this repository. */
const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^npm_(package|lifecycle|config_local_prefix)|^INIT_CWD$/.test(name)),
);

/** Without `prepack`: the program is built before all tests. */
export function packAndInstall(): Installed {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'fairline-package-')));
  const project = join(folder, 'project');
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{ "name": "shop", "version": "1.0.0", "type": "module" }\n');
  const packed = npm(root, 'pack', '--json', '--ignore-scripts', '--pack-destination', folder);
  const [{ filename, files }] = JSON.parse(packed.stdout) as [{ filename: string; files: { path: string }[] }];
  const flags = ['--engine-strict', '--prefer-offline', '--no-audit', '--no-fund', '--no-update-notifier'];
  const { stdout, stderr } = npm(project, 'install', ...flags, join(folder, filename));
  return { folder, project, files: files.map(({ path }) => path), output: stdout + stderr };
}

function npm(cwd: string, ...args: string[]): { stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd, env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`npm ${args.join(' ')} failed:\n${stdout}${stderr}`);
  return { stdout, stderr };
}

export interface OtherNode {
  name: string;
  /** undefined: not installed. */
  path: string | undefined;
}

/** This Node, and the others that the program supports. CI installs them. */
export function listNodes(): OtherNode[] {
  const others = (nodeVersions as string[]).map((version) => ({
    name: version,
    path: (process.env.CI === 'true' ? installNode(version) : findNode(version)) as string | undefined,
  }));
  return [{ name: process.versions.node, path: process.execPath }, ...others];
}

/** The environment of someone who has this Node and nothing else of ours. */
export function withNode(path: string): Record<string, string> {
  return { PATH: `${dirname(path)}:${process.env.PATH}`, HOME: process.env.HOME ?? '', TMPDIR: tmpdir() };
}
