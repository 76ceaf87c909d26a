/** The directory of the only process, in a small file of DATA_DIR that is replaced with every change. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DirectoryKind, DirectoryStore } from '../directory/directory-store.ts';
import { inTurn } from '../in-turn.ts';
import { replaceFile } from './replace-file.ts';

const FILE = 'operators.json';

type Content = Partial<Record<DirectoryKind, Record<string, object>>>;

export function createDirectoryFile(dataDir: string): DirectoryStore {
  const path = join(dataDir, FILE);
  const run = inTurn();
  /** Reads, changes and writes in turn. `work` returns the result and, if anything changed, the new values of the kind. */
  const change = <T>(kind: DirectoryKind, work: (values: Map<string, object>) => { result: T; isChanged: boolean }) =>
    run(async () => {
      const content = await read(path);
      const values = new Map(Object.entries(content[kind] ?? {}));
      const { result, isChanged } = work(values);
      if (isChanged) await replaceFile(path, { ...content, [kind]: Object.fromEntries(values) });
      return result;
    });
  return {
    list: async (kind) => Object.entries((await read(path))[kind] ?? {}).map(([id, value]) => ({ id, value })),
    create: (kind, id, value) =>
      change(kind, (values) => {
        const isNew = !values.has(id);
        if (isNew) values.set(id, value);
        return { result: isNew, isChanged: isNew };
      }),
    put: (kind, id, value) =>
      change(kind, (values) => {
        values.set(id, value);
        return { result: undefined, isChanged: true };
      }),
    remove: (kind, id) =>
      change(kind, (values) => {
        const isThere = values.delete(id);
        return { result: isThere, isChanged: isThere };
      }),
    close: () => run(async () => {}),
  };
}

/** A file that cannot be read is an error: to go on would bring ended sessions back. */
async function read(path: string): Promise<Content> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Content;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new Error(
      `${path} cannot be read: ${(error as Error).message}. It holds service keys and invitations: restore it, or ` +
        'remove it and create them again.',
    );
  }
}
