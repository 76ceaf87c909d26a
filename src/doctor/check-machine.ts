/** Checks this machine: DATA_DIR and its permissions, secrets.json, the limit of open files. */
import { access, constants, readFile, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { describeFileSystem, UnusableFolderError } from '../platform/folder/usable-folder.ts';
import { findExposed } from '../platform/private-folder.ts';
import { type Check, ok, problem, warning } from './check.ts';

const LEAST_FREE_BYTES = 1024 ** 3;
/** Each open stream uses one. */
const LEAST_OPEN_FILES = 10_000;

export async function checkMachine(dataDir: string): Promise<Check[]> {
  return [...(await checkFolder(dataDir)), ...(await checkSecretsFile(dataDir)), ...(await checkOpenFiles())];
}

async function checkFolder(dir: string): Promise<Check[]> {
  const what = `DATA_DIR ${dir}`;
  let fileSystem: string | undefined;
  try {
    fileSystem = await describeFileSystem(dir);
    if (!(await stat(dir)).isDirectory()) return [problem(what, 'not a directory', 'set DATA_DIR to a directory')];
    await access(dir, constants.W_OK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      return [ok(what, 'does not exist yet; fairline start creates it')];
    if (error instanceof UnusableFolderError) return [problem(what, error.message, 'set another DATA_DIR')];
    return [problem(what, 'not writable', 'grant write permission to this user, or set another DATA_DIR')];
  }
  const { bavail, bsize } = await statfs(dir);
  const free = bavail * bsize;
  const found = `${(free / 1024 ** 3).toFixed(1)} GB free`;
  const space =
    free >= LEAST_FREE_BYTES
      ? ok(what, found)
      : warning(what, found, 'free disk space: when the disk is full, nobody can join');
  const advice = 'set DATA_DIR to a directory on a local disk';
  return [space, ...(fileSystem === undefined ? [] : [warning(what, fileSystem, advice)]), await checkPermissions(dir)];
}

async function checkPermissions(dir: string): Promise<Check> {
  const what = `DATA_DIR ${dir} permissions`;
  const exposed = await findExposed(dir);
  const [first] = exposed;
  if (first === undefined) return ok(what, 'accessible only by its owner');
  const others = exposed.length === 1 ? '' : ` and ${exposed.length - 1} more`;
  const found = `accessible by other users: ${first.path} (mode ${first.mode.toString(8)})${others}`;
  return warning(what, found, `chmod -R go-rwx ${dir}; fairline start does it if it owns the folder`);
}

async function checkSecretsFile(dir: string): Promise<Check[]> {
  const path = join(dir, 'secrets.json');
  const mode = await stat(path).then(
    (found) => found.mode & 0o777,
    () => undefined,
  );
  if (mode === undefined) return [];
  if ((mode & 0o077) === 0) return [ok(path, 'readable only by its owner')];
  return [
    problem(
      path,
      `readable by other users (mode ${mode.toString(8)})`,
      `chmod 600 ${path}, and replace the secrets in it`,
    ),
  ];
}

/** Only Linux has /proc. */
async function checkOpenFiles(): Promise<Check[]> {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '');
  const most = /^Max open files\s+(\d+)/m.exec(limits)?.[1];
  if (most === undefined) return [];
  if (Number(most) >= LEAST_OPEN_FILES) return [ok('open files', `limit ${most}`)];
  const advice = 'raise it with ulimit -n 100000, or LimitNOFILE= in systemd: each open stream uses one';
  return [warning('open files', `limit ${most}`, advice)];
}
