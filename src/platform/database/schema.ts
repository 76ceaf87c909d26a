/** What a database must contain: tables, made by migrations, and functions, each in one file in its current form. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

export interface Schema {
  /** Sorted by name: the order in which they are applied. */
  migrations: readonly Migration[];
  functions: readonly SqlFunction[];
}

/** A change of tables. Applied once, and never edited after its release in a way that gives a new database other tables. */
export interface Migration {
  name: string;
  /** Empty: a released migration with nothing left to do on a new database. */
  sql: string;
}

/**
 * A SQL function. Its file starts with `-- revision N` and contains `create or replace function`; it is applied whenever it is
 * newer than what the database has (see apply-functions.ts).
 *
 * - To change the body, edit the file and increase the revision by one.
 * - To change a signature, remember that processes of the previous release call the old one until the upgrade is over. Give the
 *   file both versions in one release and, in the next, replace the old one by `drop function if exists name(old types);` above
 *   the new one. hold-seats.sql shows the second step.
 * - To remove a function, delete its file and drop it in a migration (`drop function if exists`), one release after its last call.
 */
export interface SqlFunction {
  name: string;
  revision: number;
  sql: string;
  /** Of `sql`. */
  hash: string;
}

/** The files of `migrations/` beside the caller; `emptied` names released migrations that no longer have a file. */
export function readMigrations(folder: URL, emptied: readonly string[] = []): Migration[] {
  const migrations = readSqlFiles(folder);
  return [...migrations, ...emptied.map((name) => ({ name, sql: '' }))];
}

export function readFunctions(folder: URL): SqlFunction[] {
  return readSqlFiles(folder).map(({ name, sql }) => toFunction(name.replaceAll('-', '_'), sql));
}

export function toFunction(name: string, sql: string): SqlFunction {
  const revision = /^-- revision (\d+)\n/.exec(sql)?.[1];
  if (revision === undefined) throw new Error(`function ${name}: its first line must be "-- revision N"`);
  return { name, revision: Number(revision), sql, hash: createHash('sha256').update(sql).digest('hex') };
}

export function combineSchemas(schemas: readonly Schema[]): Schema {
  return {
    migrations: schemas.flatMap(({ migrations }) => migrations).sort((a, b) => (a.name < b.name ? -1 : 1)),
    functions: schemas.flatMap(({ functions }) => functions),
  };
}

function readSqlFiles(folder: URL): { name: string; sql: string }[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.sql'));
  return files.sort().map((file) => ({
    name: file.replace(/\.sql$/, ''),
    sql: readFileSync(new URL(file, folder), 'utf8'),
  }));
}
