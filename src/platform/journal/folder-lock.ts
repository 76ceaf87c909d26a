/**
 * Reserves a folder for one process. The lock is a file with the owner's process id and start time, so a lock that a
 * killed process left behind is recognised even if its process id is in use again.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FILE = 'lock';

export class FolderInUseError extends Error {
  override readonly name = 'FolderInUseError';
}

/** Returns the function that releases the folder. */
export function lockFolder(dir: string): () => void {
  const lock = tryLock(join(dir, FILE));
  if (lock.outcome === 'locked') return lock.release;
  throw new FolderInUseError(
    `${dir} is in use by process ${lock.ownerPid}. Stop that one, or give this one another DATA_DIR.`,
  );
}

export type LockOutcome = { outcome: 'locked'; release: () => void } | { outcome: 'in-use'; ownerPid: string };

/** `path`: the lock file. */
export function tryLock(path: string): LockOutcome {
  const mine = describe(process.pid);
  for (let attempt = 0; ; attempt += 1) {
    try {
      writeFileSync(path, mine, { flag: 'wx', mode: 0o600 });
      return { outcome: 'locked', release: () => rmSync(path, { force: true }) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || attempt > 0) throw error;
      const owner = existsSync(path) ? readFileSync(path, 'utf8') : '';
      if (isAlive(owner)) return { outcome: 'in-use', ownerPid: owner.split(' ')[0]! };
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

/** In ticks since boot, on Linux. Elsewhere the process id alone must do. */
function startTimeOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? 'unknown';
  } catch {
    return 'unknown';
  }
}
