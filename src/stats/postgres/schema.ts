/** The tables of the statistics. */
import { readMigrations, type Schema } from '../../platform/database/schema.ts';

export const statsSchema: Schema = {
  migrations: readMigrations(new URL('migrations/', import.meta.url)),
  functions: [],
};
