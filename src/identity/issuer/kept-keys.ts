/**
 * A copy of the provider's public keys on disk, so that a restart while the provider is away refuses nobody. Best effort:
 * without the copy such a start waits for the provider.
 */
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface KeptKeys {
  keep(keySet: string): Promise<void>;
  /** The last key set of the same source, unless it is too old. */
  find(): Promise<string | undefined>;
}

export interface KeptKeysOptions {
  dir: string;
  /** The settings that the keys were found by: after a change the copy does not count. */
  source: string;
  now: () => number;
  onError?: (error: Error) => void;
}

const FILE = 'user-keys.json';
/** Bounds how long a key counts that the provider withdrew while it could not be asked. */
const OLDEST_MS = 24 * 3_600_000;
const REWRITE_MS = 600_000;

interface Kept {
  source: string;
  readAt: number;
  keySet: string;
}

export function createKeptKeys({ dir, source, now, onError }: KeptKeysOptions): KeptKeys {
  let last: Kept | undefined;
  return {
    async keep(keySet) {
      const readAt = now();
      if (last?.keySet === keySet && readAt - last.readAt < REWRITE_MS) return;
      last = { source, readAt, keySet };
      await write(dir, last).catch((error) => onError?.(error as Error));
    },
    async find() {
      const kept = await read(dir);
      return kept?.source === source && now() - kept.readAt < OLDEST_MS ? kept.keySet : undefined;
    },
  };
}

async function write(dir: string, kept: Kept): Promise<void> {
  // With the process id, because processes may share the folder.
  const unfinished = join(dir, `unfinished-${process.pid}-${FILE}`);
  await rm(unfinished, { force: true });
  await writeFile(unfinished, JSON.stringify(kept), { mode: 0o600, flag: 'wx' });
  await rename(unfinished, join(dir, FILE));
}

async function read(dir: string): Promise<Kept | undefined> {
  try {
    const kept = JSON.parse(await readFile(join(dir, FILE), 'utf8')) as Partial<Kept>;
    const isWhole =
      typeof kept.source === 'string' && typeof kept.readAt === 'number' && typeof kept.keySet === 'string';
    return isWhole ? (kept as Kept) : undefined;
  } catch {
    return undefined;
  }
}
