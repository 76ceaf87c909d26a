/** The tables of transfers and the functions on them. */
import { readFunctions, readMigrations, type Schema } from '../../platform/database/schema.ts';

export const transferSchema: Schema = {
  migrations: readMigrations(new URL('migrations/', import.meta.url), ['012-transfer-limit']),
  functions: readFunctions(new URL('functions/', import.meta.url)),
};
