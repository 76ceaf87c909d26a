/**
 * The database that services share: PostgreSQL, or PostgreSQL in this process (PGlite) where none is configured. Opened
 * when it is first needed, because the embedded one takes seconds and hundreds of megabytes that a process which sells
 * nothing should not pay for.
 */
import { sql } from 'kysely';
import type { Database } from './database.ts';
import { migrate } from './migrate.ts';
import type { Schema } from './schema.ts';

export type DatabaseAddress =
  /** postgres://…, as in DATABASE_URL. */
  | { url: string; connections: number }
  /** A folder of PGlite's, which belongs to one process. */
  | { dir: string };

export interface LazyDatabase {
  /** The database, with its tables. A failure to open it is not remembered: the next call tries again. */
  get(): Promise<Database>;
  /** Why the server cannot be used right now; undefined when it can, and for the one in this process. Asks it at most once a second. */
  findFault(): Promise<string | undefined>;
  close(): Promise<void>;
}

export function createLazyDatabase(address: DatabaseAddress, schema: Schema): LazyDatabase {
  let opening: Promise<Database> | undefined;
  let isClosed = false;
  let checked: { at: number; fault: Promise<string | undefined> } | undefined;
  return {
    get() {
      if (isClosed) return Promise.reject(new Error('the database is closed'));
      opening ??= openDatabase(address, schema).catch((error) => {
        opening = undefined;
        throw error;
      });
      return opening;
    },
    findFault() {
      if (!('url' in address)) return Promise.resolve(undefined);
      if (checked === undefined || performance.now() - checked.at > CHECK_EVERY_MS) {
        checked = { at: performance.now(), fault: askIfThere(this) };
      }
      return checked.fault;
    },
    async close() {
      isClosed = true;
      const opened = await opening?.catch(() => undefined);
      await opened?.destroy();
    },
  };
}

/** A server that takes this long to say that it is there is of no use to a buyer. */
const LONGEST_CHECK_MS = 2_000;
const CHECK_EVERY_MS = 1_000;

async function askIfThere(database: LazyDatabase): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve('PostgreSQL does not answer'), LONGEST_CHECK_MS);
  });
  const answer = database.get().then((db) => sql`select 1`.execute(db));
  const fault = answer.then(
    () => undefined,
    (error: Error) => `PostgreSQL cannot be used: ${error.message}`,
  );
  return Promise.race([fault, timeout]).finally(() => clearTimeout(timer));
}

async function openDatabase(address: DatabaseAddress, schema: Schema): Promise<Database> {
  const database = await connect(address);
  try {
    await migrate(database, schema);
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
