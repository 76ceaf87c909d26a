/**
 * PostgreSQL in this process (PGlite), on a worker thread: creating its tables takes many seconds and a hold milliseconds,
 * during which the main thread could not serve visitors. It has one connection, which callers use in turn.
 */
import { Worker } from 'node:worker_threads';
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import type { Wake } from '../concurrency/wake.ts';
import { makePrivate } from '../private-folder.ts';
import type { Database } from './database.ts';
import { UnusableDatabaseError } from './database-errors.ts';
import type { Order, Report, ReportedError } from './pglite-worker.ts';
import { publishStatements } from './statement-events.ts';

/** A worker needs JavaScript. Tests run TypeScript, so they use the compiled file. */
const WORKER_FILE = import.meta.url.endsWith('.ts')
  ? new URL('../../../dist/src/platform/database/pglite-worker.js', import.meta.url)
  : new URL('./pglite-worker.js', import.meta.url);

export async function openPglite(dir: string): Promise<Database> {
  return (await openPgliteWithPolls(dir)).database;
}

export interface PgliteDatabase {
  database: Database;
  /** The same database, for statements that only look for work: they do not call `activity`. Closed with the other. */
  polls: Database;
}

/** Calls `activity` after each statement. */
export async function openPgliteWithPolls(dir: string, activity?: Wake): Promise<PgliteDatabase> {
  const thread = new DatabaseThread(dir);
  await thread.opened();
  // PGlite unpacks its first files with mode 0666, whatever the umask is.
  await makePrivate(dir);
  const turns = createTurns();
  const open = (onStatement: () => void) => {
    const pool = createPool(thread, turns, onStatement);
    return new Kysely<unknown>({ dialect: new PostgresDialect({ pool }), ...publishStatements() });
  };
  return { database: open(() => activity?.call()), polls: open(() => {}) };
}

interface Waiting {
  resolve: (report: Exclude<Report, { error: unknown }>) => void;
  reject: (error: Error) => void;
}

class DatabaseThread {
  readonly #dir: string;
  readonly #worker: Worker;
  /** Callers that wait for a report, in the order of their statements. */
  readonly #waiting: Waiting[] = [];
  readonly #opened: Promise<unknown>;
  #end: Error | undefined;

  constructor(dir: string) {
    this.#dir = dir;
    this.#worker = new Worker(WORKER_FILE, { workerData: dir });
    this.#worker.on('message', (report: Report) => this.#hear(report));
    this.#worker.on('error', (error) => this.#stop(error.message));
    this.#worker.on('exit', (code) => this.#stop(`its thread ended with ${code}`));
    this.#opened = this.#nextReport();
  }

  /** Resolves once the database is open. */
  async opened(): Promise<void> {
    try {
      await this.#opened;
    } catch (error) {
      await this.#worker.terminate();
      const { message } = error as Error;
      throw new UnusableDatabaseError(`the embedded database cannot be opened in ${this.#dir}: ${message}`);
    }
  }

  run(sql: string, parameters: readonly unknown[]) {
    return this.#ask({ sql, parameters });
  }

  async close(): Promise<void> {
    await this.#ask(undefined);
    await this.#worker.terminate();
  }

  #ask(order: Order) {
    if (this.#end !== undefined) return Promise.reject(this.#end);
    this.#worker.postMessage(order);
    return this.#nextReport();
  }

  #nextReport(): Promise<Exclude<Report, { error: unknown }>> {
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
  }

  #hear(report: Report): void {
    const { resolve, reject } = this.#waiting.shift()!;
    if ('error' in report) reject(toError(report.error));
    else resolve(report);
  }

  #stop(why: string): void {
    this.#end ??= new UnusableDatabaseError(`the embedded database has stopped: ${why}`);
    for (const { reject } of this.#waiting.splice(0)) reject(this.#end);
  }
}

function toError({ message, ...rest }: ReportedError): Error {
  return Object.assign(new Error(message), rest);
}

interface Turns {
  /** Resolves when it is the caller's turn. */
  take(): Promise<void>;
  release(): void;
}

/** The one connection, which callers get in order. */
function createTurns(): Turns {
  const waiting: (() => void)[] = [];
  let isTaken = false;
  return {
    async take() {
      if (isTaken) return new Promise((resolve) => waiting.push(resolve));
      isTaken = true;
    },
    release() {
      const next = waiting.shift();
      if (next === undefined) isTaken = false;
      else next();
    },
  };
}

function createPool(thread: DatabaseThread, turns: Turns, onStatement: () => void): PostgresPool {
  const query = async (sql: string, parameters: readonly unknown[]) => {
    try {
      const { rows, affectedRows } = await thread.run(sql, parameters);
      return { command: 'SELECT' as const, rowCount: affectedRows ?? rows.length, rows };
    } finally {
      onStatement();
    }
  };
  const client = { query: query as PostgresPoolClient['query'], release: turns.release };
  return {
    async connect() {
      await turns.take();
      return client;
    },
    end: () => thread.close(),
  };
}
