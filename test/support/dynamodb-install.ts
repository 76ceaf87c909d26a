/**
 * Installs the DynamoDB server of the tests from npm into node_modules/.cache. It is no dependency: npm has no optional
 * development dependencies, and the package exists for one platform only.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const NAME = '@dynoxide/linux-x64';
const VERSION = '1.2.1';
const FOLDER = join(import.meta.dirname, '../../node_modules/.cache/dynoxide', VERSION);

/** The path of the program; undefined if it is not installed. */
export function findDynamoDb(): string | undefined {
  const path = join(FOLDER, 'node_modules', NAME, 'dynoxide');
  return existsSync(path) ? path : undefined;
}

export function installDynamoDbIfMissing(): void {
  if (findDynamoDb() !== undefined || `${process.platform}-${process.arch}` !== 'linux-x64') return;
  process.stderr.write('Installing a DynamoDB server for the tests … ');
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, 'package.json'), '{ "private": true }\n');
  const args = ['install', '--prefix', FOLDER, '--no-audit', '--no-fund', '--loglevel=error', `${NAME}@${VERSION}`];
  const { status, stderr } = spawnSync('npm', args, { cwd: FOLDER, encoding: 'utf8' });
  process.stderr.write(status === 0 ? 'done\n' : `npm failed:\n${stderr}\n`);
}
