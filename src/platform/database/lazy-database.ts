/**
 * The database that services share: PostgreSQL, or PostgreSQL in this process (PGlite) where none is configured. Opened
 * when it is first needed, because the embedded one takes seconds and hundreds of megabytes that a process which sells
 * nothing should not pay for.
 */
import type { Database } from './database.ts';
import { type Migration, migrate } from './migrate.ts';

export type DatabaseAddress =
  /** postgres://…, as in DATABASE_URL. */
  | { url: string; connections: number }
  /** A folder of PGlite's, which belongs to one process. */
  | { dir: string };

export interface LazyDatabase {
  /** The database, with its tables. A failure to open it is not remembered: the next call tries again. */
  get(): Promise<Database>;
  close(): Promise<void>;
}

export function createLazyDatabase(address: DatabaseAddress, migrations: readonly Migration[]): LazyDatabase {
  let opening: Promise<Database> | undefined;
  let isClosed = false;
  return {
    get() {
      if (isClosed) return Promise.reject(new Error('the database is closed'));
      opening ??= openDatabase(address, migrations).catch((error) => {
        opening = undefined;
        throw error;
      });
      return opening;
    },
    async close() {
      isClosed = true;
      const opened = await opening?.catch(() => undefined);
      await opened?.destroy();
    },
  };
}

async function openDatabase(address: DatabaseAddress, migrations: readonly Migration[]): Promise<Database> {
  const database = await connect(address);
  try {
    await migrate(database, migrations);
    return database;
  } catch (error) {
    await database.destroy();
    throw error;
  }
}

/** Both drivers are large, so only the one that is used is loaded. */
async function connect(address: DatabaseAddress): Promise<Database> {
  if ('url' in address) return (await import('./postgres.ts')).connectPostgres(address.url, address.connections);
  return (await import('./pglite.ts')).openPglite(address.dir);
}
