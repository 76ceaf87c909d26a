/** A folder whose files only their owner can reach: places, purchases and secrets are in it. */
import { chmod, lstat, mkdir, readdir, stat } from 'node:fs/promises';
import { join, parse, resolve } from 'node:path';

const FOR_OTHERS = 0o077;
const OWNER_ONLY = 0o700;
/** Set on folders that several users share, such as /tmp. */
const STICKY = 0o1000;

export interface ExposedPath {
  path: string;
  /** The permissions, such as 0o644. */
  mode: number;
}

/** Files made from now on by this process are for its owner only. Worker threads inherit it. */
export function restrictNewFiles(): void {
  process.umask(FOR_OTHERS);
}

/**
 * Creates the folder if it is missing and takes the permissions of other users from it and from everything in it.
 * Resolves to what could not be changed, with the reason.
 */
export async function makePrivate(dir: string): Promise<string[]> {
  await mkdir(dir, { recursive: true, mode: OWNER_ONLY });
  if (await isShared(dir)) return [`${dir} is a folder that all users share; set DATA_DIR to a folder of its own`];
  const problems: string[] = [];
  // The folder comes first: from then on nobody else can put anything into it.
  for (const { path, mode } of await findExposed(dir)) {
    await chmod(path, mode & OWNER_ONLY).catch((error) => {
      if (error.code !== 'ENOENT') problems.push(`${path} is accessible by other users: ${error.message}`);
    });
  }
  return problems;
}

/** The folder and everything in it that other users may access by its permissions. Symbolic links are not followed. */
export async function findExposed(dir: string): Promise<ExposedPath[]> {
  // Windows has no such permissions.
  if (process.platform === 'win32') return [];
  const top = toExposed(dir, (await stat(dir)).mode);
  const names = await readdir(dir, { recursive: true });
  const inside = await Promise.all(names.map((name) => findExposedFile(join(dir, name))));
  return [...top, ...inside.flat()];
}

async function findExposedFile(path: string): Promise<ExposedPath[]> {
  // A file may disappear meanwhile.
  const found = await lstat(path).catch(() => undefined);
  return found?.isFile() || found?.isDirectory() ? toExposed(path, found.mode) : [];
}

function toExposed(path: string, mode: number): ExposedPath[] {
  return (mode & FOR_OTHERS) === 0 ? [] : [{ path, mode: mode & 0o777 }];
}

/** Taking the permissions of others from such a folder would break other programs. */
async function isShared(dir: string): Promise<boolean> {
  const whole = resolve(dir);
  return whole === parse(whole).root || ((await stat(dir)).mode & STICKY) !== 0;
}
