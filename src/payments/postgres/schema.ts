/** The tables of payments and of the sandbox provider. */
import { readMigrations, type Schema } from '../../platform/database/schema.ts';

export const paymentSchema: Schema = {
  migrations: readMigrations(new URL('migrations/', import.meta.url)),
  functions: [],
};
