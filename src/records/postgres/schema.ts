/** The tables of the outbox and the record log. */
import { readMigrations, type Schema } from '../../platform/database/schema.ts';

export const recordSchema: Schema = {
  migrations: readMigrations(new URL('migrations/', import.meta.url)),
  functions: [],
};
