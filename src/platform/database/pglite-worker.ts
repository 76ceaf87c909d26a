/** The worker thread of the embedded PostgreSQL (see pglite.ts). It runs statements one at a time, in order. */
import { readdir, readFile, rename, rm } from 'node:fs/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';

/** A statement, or undefined to close the database. */
export type Order = { sql: string; parameters: readonly unknown[] } | undefined;

export type Report = { rows: unknown[]; affectedRows: number | undefined } | { error: ReportedError };

/** Errors lose their own properties between threads, so the relevant ones are copied. */
export interface ReportedError {
  message: string;
  code?: string;
  constraint?: string;
  detail?: string;
  table?: string;
}

/** An empty database, made by the build. */
const TEMPLATE = new URL('../../../pglite-template.tar.gz', import.meta.url);
const IN_MEMORY = 'memory://';
/** The 128 MB that PostgreSQL takes by default are for a server. Here they would never be returned to the system. */
const START_PARAMS = [...PGlite.defaultStartParams, '-c', 'shared_buffers=16MB'];

const port = parentPort!;
const opening = open(workerData as string);
opening.then(() => port.postMessage({ rows: [], affectedRows: 0 } satisfies Report), refuse);

port.on('message', async (order: Order) => {
  try {
    port.postMessage(await follow(await opening, order));
  } catch (error) {
    refuse(error);
  }
});

async function open(dataDir: string): Promise<PGlite> {
  if (dataDir === IN_MEMORY) return create(dataDir, await readTemplate());
  if (await isEmpty(dataDir)) await createDatabase(dataDir);
  return create(dataDir);
}

function create(dataDir: string, loadDataDir?: Blob): Promise<PGlite> {
  return PGlite.create({ dataDir, startParams: START_PARAMS, ...(loadDataDir && { loadDataDir }) });
}

/** Whether there is nothing yet, or an empty folder. PGlite itself reports anything else that is no database. */
async function isEmpty(dataDir: string): Promise<boolean> {
  const files = await readdir(dataDir).catch((error: NodeJS.ErrnoException) => (error.code === 'ENOENT' ? [] : ['?']));
  return files.length === 0;
}

/** Unpacks the template beside its final place: a crash while unpacking leaves no half of a database there. */
async function createDatabase(dataDir: string): Promise<void> {
  const unfinished = `${dataDir}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  const created = await create(unfinished, await readTemplate());
  await created.close();
  await rename(unfinished, dataDir);
}

async function readTemplate(): Promise<Blob> {
  return new Blob([await readFile(TEMPLATE)]);
}

function refuse(error: unknown): void {
  port.postMessage({ error: toReported(error as ReportedError) } satisfies Report);
}

async function follow(pglite: PGlite, order: Order): Promise<Report> {
  if (order === undefined) {
    await pglite.close();
    return { rows: [], affectedRows: 0 };
  }
  const { rows, affectedRows } = await run(pglite, order.sql, order.parameters);
  return { rows, affectedRows };
}

/** Only a query without parameters may contain several statements, as migrations do. */
async function run(pglite: PGlite, sql: string, parameters: readonly unknown[]) {
  if (parameters.length > 0) return pglite.query<unknown>(sql, [...parameters]);
  const results = await pglite.exec(sql);
  return results.at(-1) ?? { rows: [], affectedRows: 0 };
}

/** File system errors of PGlite have a number but no message. */
function toReported(error: ReportedError & { errno?: number }): ReportedError {
  const { code, constraint, detail, table, errno } = error;
  const message = error.message || `its files cannot be used (${errno})`;
  const named = Object.entries({ code, constraint, detail, table }).filter(([, value]) => typeof value === 'string');
  return { message, ...Object.fromEntries(named) };
}
