/**
 * The database that services share: a PostgreSQL server, or PGlite in this process if none is configured. It is opened on
 * first use: the embedded one takes seconds and hundreds of megabytes, which a process that sells nothing should not pay.
 */
import { sql } from 'kysely';
import { redactText } from '../redact.ts';
import type { Database } from './database.ts';
import { migrate } from './migrate.ts';
import type { Schema } from './schema.ts';

export type DatabaseAddress =
  /** postgres://…, as in DATABASE_URL. */
  | { url: string; connections: number }
  /** The folder of PGlite, for one process only. */
  | { dir: string };

export interface LazyDatabase {
  /** Opens and migrates the database on first use. After a failure the next call tries again. */
  get(): Promise<Database>;
  /** Whether `get` answers without a wait: a server always, PGlite once something has opened it. */
  isReady(): boolean;
  /** Why the server cannot be used now; undefined if it can, and always for PGlite. Checks at most once a second. */
  findFault(): Promise<string | undefined>;
  close(): Promise<void>;
}

export function createLazyDatabase(address: DatabaseAddress, schema: Schema): LazyDatabase {
  let opening: Promise<Database> | undefined;
  let isClosed = false;
  let isOpen = false;
  let checked: { at: number; fault: Promise<string | undefined> } | undefined;
  return {
    get() {
      if (isClosed) return Promise.reject(new Error('the database is closed'));
      opening ??= openDatabase(address, schema).then(
        (database) => {
          isOpen = true;
          return database;
        },
        (error) => {
          opening = undefined;
          throw error;
        },
      );
      return opening;
    },
    isReady: () => !isClosed && (isOpen || 'url' in address),
    findFault() {
      if (!('url' in address)) return Promise.resolve(undefined);
      if (checked === undefined || performance.now() - checked.at > CHECK_EVERY_MS) {
        checked = { at: performance.now(), fault: checkServer(this) };
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

/** A server slower than this is of no use to a buyer. */
const CHECK_TIMEOUT_MS = 2_000;
const CHECK_EVERY_MS = 1_000;

async function checkServer(database: LazyDatabase): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve('PostgreSQL does not answer'), CHECK_TIMEOUT_MS);
  });
  const answer = database.get().then((db) => sql`select 1`.execute(db));
  const fault = answer.then(
    () => undefined,
    (error: Error) => `PostgreSQL cannot be used: ${redactText(error.message)}`,
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

/** Both drivers are large, so only the one in use is loaded. */
async function connect(address: DatabaseAddress): Promise<Database> {
  if ('url' in address) return (await import('./postgres.ts')).connectPostgres(address.url, address.connections);
  return (await import('./pglite.ts')).openPglite(address.dir);
}
