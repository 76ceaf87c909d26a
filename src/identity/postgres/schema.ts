/** The tables of operators: audit trail, ended sessions, second factors. */
import { readFunctions, readMigrations, type Schema } from '../../platform/database/schema.ts';

export const operatorSchema: Schema = {
  migrations: readMigrations(new URL('migrations/', import.meta.url)),
  functions: readFunctions(new URL('functions/', import.meta.url)),
};
