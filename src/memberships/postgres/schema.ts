/** The table of memberships and its function. */
import { readFunctions, readMigrations, type Schema } from '../../platform/database/schema.ts';

export const membershipSchema: Schema = {
  migrations: readMigrations(new URL('migrations/', import.meta.url)),
  functions: readFunctions(new URL('functions/', import.meta.url)),
};
