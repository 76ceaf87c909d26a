/**
 * The database that services share: a PostgreSQL server, or PGlite in this process if none is configured. It is opened on
 * first use: the embedded one takes seconds and hundreds of megabytes, which a process that sells nothing should not pay.
 */
import { sql } from 'kysely';
import { createDeferred } from '../concurrency/deferred.ts';
import { Wake } from '../concurrency/wake.ts';
import { redactText } from '../redact.ts';
import type { Database } from './database.ts';
import { migrate } from './migrate.ts';
import type { DatabaseServer } from './postgres-options.ts';
import type { Schema } from './schema.ts';

export type DatabaseAddress =
  | (DatabaseServer & { connections: number })
  /** The folder of PGlite, for one process only. */
  | { dir: string };

export interface LazyDatabase {
  /**
   * Opens and migrates the database on first use. After a failure the next call tries again. While a server is known to be
   * away, a call fails within half a second.
   */
  get(): Promise<Database>;
  /** As `get`, for statements that only look for work: they do not call `activity`. */
  poll(): Promise<Database>;
  /** Called after each statement of the embedded database. undefined for a server: other processes use it as well. */
  readonly activity: Wake | undefined;
  /** Resolves once something has opened the embedded database; at once for a server. */
  whenOpened(): Promise<void>;
  /** Whether `get` answers without a wait: a server always, PGlite once something has opened it. */
  isReady(): boolean;
  /**
   * Why the server cannot be used now; undefined if it can, and always for PGlite. Checks at most once a second. A server
   * that was away is checked and migrated again: it may be another one.
   */
  findFault(): Promise<string | undefined>;
  close(): Promise<void>;
}

export function createLazyDatabase(address: DatabaseAddress, schema: Schema): LazyDatabase {
  const activity = 'url' in address ? undefined : new Wake();
  const opened = createDeferred<void>();
  let opening: Promise<Opened> | undefined;
  let isClosed = false;
  let isOpen = false;
  let lastError: Error | undefined;
  let wasAway = false;
  let checked: { at: number; fault: Promise<string | undefined> } | undefined;

  async function open(): Promise<Opened> {
    try {
      const both = await connect(address, activity);
      // It is there: calls wait for the migration instead of failing.
      lastError = undefined;
      await migrateOrDestroy(both.database, schema);
      isOpen = true;
      opened.resolve();
      return both;
    } catch (error) {
      opening = undefined;
      lastError = error as Error;
      throw error;
    }
  }

  async function check(): Promise<string | undefined> {
    try {
      const database = await result.get();
      await sql`select 1`.execute(database);
      if (wasAway) await prepare(database, schema);
      wasAway = false;
      return undefined;
    } catch (error) {
      wasAway = isOpen;
      return `PostgreSQL cannot be used: ${redactText((error as Error).message.replace(NAMED, ''))}`;
    }
  }

  function getBoth(): Promise<Opened> {
    if (isClosed) return Promise.reject(new Error('the database is closed'));
    opening ??= open();
    const isAway = 'url' in address && lastError !== undefined;
    return isAway ? orSoon(opening, lastError!) : opening;
  }

  const result: LazyDatabase = {
    get: async () => (await getBoth()).database,
    poll: async () => (await getBoth()).polls,
    activity,
    whenOpened: () => ('url' in address ? Promise.resolve() : opened.promise),
    isReady: () => !isClosed && (isOpen || 'url' in address),
    findFault() {
      if (!('url' in address)) return Promise.resolve(undefined);
      if (checked === undefined || performance.now() - checked.at > CHECK_EVERY_MS) {
        checked = { at: performance.now(), fault: withinTime(check()) };
      }
      return checked.fault;
    },
    async close() {
      isClosed = true;
      const both = await opening?.catch(() => undefined);
      await both?.database.destroy();
    },
  };
  return result;
}

/** A server slower than this is of no use to a buyer. */
const CHECK_TIMEOUT_MS = 2_000;
const CHECK_EVERY_MS = 1_000;
/** How long a call waits for a server that is known to be away. */
const AWAY_TIMEOUT_MS = 500;
/** How an error of an unusable server begins. */
const NAMED = /^PostgreSQL cannot be used: /;

function withinTime(check: Promise<string | undefined>): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve('PostgreSQL does not answer'), CHECK_TIMEOUT_MS);
  });
  return Promise.race([check, timeout]).finally(() => clearTimeout(timer));
}

function orSoon<T>(opening: Promise<T>, lastError: Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const soon = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(lastError), AWAY_TIMEOUT_MS);
  });
  return Promise.race([opening, soon]).finally(() => clearTimeout(timer));
}

async function migrateOrDestroy(database: Database, schema: Schema): Promise<void> {
  try {
    await migrate(database, schema);
  } catch (error) {
    await database.destroy();
    throw error;
  }
}

/** A server that is open, and was away. */
async function prepare(database: Database, schema: Schema): Promise<void> {
  await (await import('./postgres.ts')).requireVersion(database);
  await migrate(database, schema);
}

/** A database, and the same for statements that only look for work. */
interface Opened {
  database: Database;
  polls: Database;
}

/** Both drivers are large, so only the one in use is loaded. */
async function connect(address: DatabaseAddress, activity: Wake | undefined): Promise<Opened> {
  if (!('url' in address)) return (await import('./pglite.ts')).openPgliteWithPolls(address.dir, activity);
  const database = await (await import('./postgres.ts')).connectPostgres(address, address.connections);
  return { database, polls: database };
}
