/**
 * Keeps a folder to one process. The lock is a file with the owner's process id and the time that process started, so
 * that a lock left by a killed process is told from a living owner even when its id was given away again.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FILE = 'lock';

export class FolderInUseError extends Error {
  override readonly name = 'FolderInUseError';
}

/** Returns how to give the folder back. */
export function lockFolder(dir: string): () => void {
  const path = join(dir, FILE);
  const mine = describe(process.pid);
  for (let attempt = 0; ; attempt += 1) {
    try {
      writeFileSync(path, mine, { flag: 'wx', mode: 0o600 });
      return () => rmSync(path, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || attempt > 0) throw error;
      const owner = existsSync(path) ? readFileSync(path, 'utf8') : '';
      if (isAlive(owner)) {
        throw new FolderInUseError(
          `${dir} is in use by process ${owner.split(' ')[0]}. Stop that one, or give this one another DATA_DIR.`,
        );
      }
      rmSync(path, { force: true });
    }
  }
}

function isAlive(owner: string): boolean {
  const pid = Number(owner.split(' ')[0]);
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return describe(pid) === owner;
}

function describe(pid: number): string {
  return `${pid} ${startTimeOf(pid)}`;
}

/** Ticks since boot at which the process started, on Linux; elsewhere the id alone has to do. */
function startTimeOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? 'unknown';
  } catch {
    return 'unknown';
  }
}
