/** The table of poster versions. */
import { readMigrations, type Schema } from '../../platform/database/schema.ts';

export const posterSchema: Schema = {
  migrations: readMigrations(new URL('migrations/', import.meta.url)),
  functions: [],
};
