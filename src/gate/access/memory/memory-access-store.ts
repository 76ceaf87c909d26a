/** The live access list of the only process, in a small file of DATA_DIR that is replaced with every change. */
import { randomUUID } from 'node:crypto';
import { open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { inTurn } from '../../../identity/in-turn.ts';
import type { Clock } from '../../../platform/clock.ts';
import { StoreUnavailableError } from '../../../platform/store-unavailable-error.ts';
import { type AccessStore, toGroupText, toKeyText } from '../access-store.ts';
import { isCurrent, type LiveEntry, MOST_ENTRIES, MOST_PER_GROUP, readLiveEntry } from '../live-entries.ts';

const FILE = 'access.json';

type Entries = ReadonlyMap<string, LiveEntry>;

export async function openMemoryAccessStore(dataDir: string, clock: Clock): Promise<AccessStore> {
  const path = join(dataDir, FILE);
  const run = inTurn();
  let entries = await read(path);
  let version: string = randomUUID();

  /** The list in memory changes only after the file has. */
  async function replace(changed: Entries): Promise<void> {
    try {
      await write(path, changed);
    } catch (error) {
      throw new StoreUnavailableError(`${path} cannot be written: ${(error as Error).message}`);
    }
    entries = changed;
    version = randomUUID();
  }

  return {
    read: async (known) => (known === version ? undefined : { version, entries: [...entries.values()] }),
    put: (entry, { onlyNew = false } = {}) =>
      run(async () => {
        const now = clock.now();
        const kept = new Map([...entries].filter(([, one]) => isCurrent(one, now)));
        const key = toKeyText(entry);
        const isKnown = kept.has(key);
        if (isKnown && onlyNew) return 'exists';
        if (!isKnown && isFull(kept, toGroupText(entry))) return 'full';
        await replace(kept.set(key, entry));
        return 'stored';
      }),
    remove: (key) =>
      run(async () => {
        const kept = new Map(entries);
        if (!kept.delete(toKeyText(key))) return false;
        await replace(kept);
        return true;
      }),
    close: () => run(async () => {}),
  };
}

function isFull(entries: Entries, group: string): boolean {
  const inGroup = [...entries.keys()].filter((key) => key.startsWith(group)).length;
  return inGroup >= MOST_PER_GROUP || entries.size >= MOST_ENTRIES;
}

/** A file that cannot be read is an error: to go on would lift all bans. */
async function read(path: string): Promise<Entries> {
  try {
    const stored = JSON.parse(await readFile(path, 'utf8')) as unknown[];
    return new Map(stored.flatMap((json) => readLiveEntry(json) ?? []).map((entry) => [toKeyText(entry), entry]));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new Map();
    throw new Error(`${path} cannot be read: ${(error as Error).message}. Restore it from a backup, or remove it.`);
  }
}

async function write(path: string, entries: Entries): Promise<void> {
  const unfinished = `${path}.unfinished`;
  const file = await open(unfinished, 'w', 0o600);
  try {
    await file.writeFile(JSON.stringify([...entries.values()]));
    await file.datasync();
  } finally {
    await file.close();
  }
  await rename(unfinished, path);
}
