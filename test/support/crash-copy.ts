import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Copies a store's folder as a crash would leave it, while the store keeps running. `cpSync` does not work here: it never
 * returns if a file shrinks during the copy, as a journal does when its preallocated space is truncated. Unfinished
 * snapshots are skipped, so every file in the copy is complete.
 */
export function crashCopy(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from)) {
    const content = name.startsWith('unfinished') ? undefined : readIfThere(join(from, name));
    if (content !== undefined) writeFileSync(join(to, name), content);
  }
}

/** undefined for a file that was just removed; the copy has the snapshot that replaces it. */
function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
