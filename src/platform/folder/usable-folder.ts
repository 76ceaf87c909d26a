/**
 * Tries out DATA_DIR before anything is opened in it, so that a folder that cannot be used gives one clear line instead of a
 * stack trace, lost data or a hang.
 */
import { mkdir, open, readFile, rename, rm, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { withTimeout } from '../concurrency/with-timeout.ts';

/** The operator must fix it, so the message is shown without a stack. */
export class UnusableFolderError extends Error {
  override readonly name = 'UnusableFolderError';
}

/** A network file system whose server is away answers nothing, for ever. */
const TIMEOUT_MS = 5_000;
const TEXT = 'Fairline tries whether it can write here.\n';

/** By the magic number of statfs. */
const FILE_SYSTEMS: Record<number, { name: string; isOdd?: boolean; warning?: string }> = {
  40864: { name: 'proc', isOdd: true },
  1650812274: { name: 'sysfs', isOdd: true },
  2613483: { name: 'cgroup', isOdd: true },
  1667723888: { name: 'cgroup2', isOdd: true },
  7377: { name: 'devpts', isOdd: true },
  1684170528: { name: 'debugfs', isOdd: true },
  1935894131: { name: 'securityfs', isOdd: true },
  16914836: { name: 'tmpfs', warning: 'is in memory: everything in it is lost when the machine restarts' },
  2240043254: { name: 'ramfs', warning: 'is in memory: everything in it is lost when the machine restarts' },
  2035054128: { name: 'overlayfs', warning: 'belongs to the container and is lost with it; mount a volume there' },
  26985: { name: 'NFS', warning: 'is on the network: a lock there does not keep other machines out; use a local disk' },
  4283649346: {
    name: 'CIFS',
    warning: 'is on the network: a lock there does not keep other machines out; use a local disk',
  },
  4266872130: {
    name: 'SMB',
    warning: 'is on the network: a lock there does not keep other machines out; use a local disk',
  },
  16914839: {
    name: '9p',
    warning: 'is shared with another machine: a lock there does not keep it out; use a local disk',
  },
};

/** What the operator must know about the kind of file system; undefined: nothing. Throws for one that keeps no files. */
export async function describeFileSystem(dir: string): Promise<string | undefined> {
  const { type } = await statfs(await existingParent(dir));
  const found = FILE_SYSTEMS[type >>> 0];
  if (found?.isOdd) throw new UnusableFolderError(`DATA_DIR=${dir}: on ${found.name}, which keeps no files; ${OTHER}`);
  return found?.warning === undefined ? undefined : `${dir} ${found.warning} (${found.name})`;
}

/** Creates the folder if it is missing. Resolves to warnings; throws UnusableFolderError. `steps`: for tests. */
export async function requireUsableFolder(dir: string, steps = tryOut, timeoutMs = TIMEOUT_MS): Promise<string[]> {
  try {
    const warning = await withTimeout(timeoutMs, describeFileSystem(dir), 'DATA_DIR');
    await withTimeout(timeoutMs, steps(dir), 'DATA_DIR');
    return warning === undefined ? [] : [warning];
  } catch (error) {
    if (error instanceof UnusableFolderError) throw error;
    throw new UnusableFolderError(`DATA_DIR=${dir}: ${explain(error as NodeJS.ErrnoException, timeoutMs)}`);
  }
}

/** Everything that the stores do with files: create exclusively, write, sync, rename, read, remove. */
async function tryOut(dir: string): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  if (!(await stat(dir)).isDirectory()) throw Object.assign(new Error(), { code: 'ENOTDIR' });
  const path = join(dir, `.trial-${process.pid}`);
  const renamed = `${path}-renamed`;
  await rm(path, { force: true });
  try {
    const file = await open(path, 'wx', 0o600);
    try {
      await file.write(TEXT);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(path, renamed);
    const read = await readFile(renamed, 'utf8');
    if (read !== TEXT) throw Object.assign(new Error(), { code: 'EIO' });
  } finally {
    for (const left of [path, renamed]) await rm(left, { force: true }).catch(() => {});
  }
}

const OTHER = 'set DATA_DIR to a directory on a disk';

const REASONS: Record<string, string> = {
  EEXIST: `not a directory; ${OTHER}`,
  ENOTDIR: `not a directory, or inside of a file; ${OTHER}`,
  EROFS: `on a read-only file system; mount it writable, or ${OTHER}`,
  ENOSPC: 'the disk is full; free space, or set another DATA_DIR',
  EDQUOT: 'the quota of this user is used up; free space, or set another DATA_DIR',
  ELOOP: `a symbolic link that leads to itself; ${OTHER}`,
  ENAMETOOLONG: `the path is too long; ${OTHER}`,
};
const UNSUPPORTED = ['EINVAL', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP'];

function explain(error: NodeJS.ErrnoException, timeoutMs: number): string {
  const { code = '', syscall = 'access' } = error;
  const known = REASONS[code];
  if (known !== undefined) return known;
  if (code === 'EACCES' || code === 'EPERM') {
    const who = process.getuid === undefined ? 'this user' : `user ${process.getuid()}`;
    return `not writable by ${who} (${code}); give this user the directory (chown), or set another DATA_DIR`;
  }
  if (UNSUPPORTED.includes(code)) return `its file system does not support ${syscall} (${code}); ${OTHER}`;
  if (code === '') return `does not answer within ${timeoutMs / 1000} s; check the mount, or ${OTHER}`;
  return `cannot be used (${code} in ${syscall}); ${OTHER}`;
}

/** The folder itself, or the nearest one above that exists. */
async function existingParent(dir: string): Promise<string> {
  const isThere = await stat(dir).then(
    () => true,
    () => false,
  );
  const parent = dirname(dir);
  return isThere || parent === dir ? dir : existingParent(parent);
}
