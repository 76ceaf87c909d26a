import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Copies a store's folder as a crash would leave it, while the store goes on. Not by `cpSync`: that one never ends when a
 * file becomes shorter under it, as a journal does when the room behind its frames is given back. Snapshots on their way
 * are left out, so that a copy holds whole files or none.
 */
export function crashCopy(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from)) {
    const content = name.startsWith('unfinished') ? undefined : readIfThere(join(from, name));
    if (content !== undefined) writeFileSync(join(to, name), content);
  }
}

/** undefined for a file that was removed meanwhile: the snapshot that replaces it is in the copy. */
function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
