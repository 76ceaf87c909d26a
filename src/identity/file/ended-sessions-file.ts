/** Ended operator sessions of the only process, in a small file of DATA_DIR that is replaced with every sign-out. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../platform/clock.ts';
import type { EndedSessions } from '../ended-sessions.ts';
import { inTurn } from '../in-turn.ts';
import { replaceFile } from './replace-file.ts';

const FILE = 'ended-operator-sessions.json';

export function createEndedSessionsFile(dataDir: string, clock: Clock): EndedSessions {
  const path = join(dataDir, FILE);
  const run = inTurn();
  let loading: Promise<Map<string, number>> | undefined;
  const load = () => {
    loading ??= read(path).catch((error) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
  return {
    async end(sessionId, expiresAt) {
      const ended = await load();
      ended.set(sessionId, expiresAt);
      for (const [id, end] of ended) if (end < clock.now() / 1000) ended.delete(id);
      await run(() => replaceFile(path, Object.fromEntries(ended)));
    },
    hasEnded: async (sessionId) => (await load()).has(sessionId),
    close: () => run(async () => {}),
  };
}

/** A file that cannot be read is an error: to go on would bring ended sessions back. */
async function read(path: string): Promise<Map<string, number>> {
  try {
    return new Map(Object.entries(JSON.parse(await readFile(path, 'utf8')) as Record<string, number>));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new Map();
    throw new Error(
      `${path} cannot be read: ${(error as Error).message}. Change ADMIN_TOKEN to end all sessions, then remove the file.`,
    );
  }
}
