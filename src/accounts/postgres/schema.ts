/** The tables of accounts. */
import { readMigrations, type Schema } from '../../platform/database/schema.ts';

export const accountSchema: Schema = {
  migrations: readMigrations(new URL('migrations/', import.meta.url)),
  functions: [],
};
