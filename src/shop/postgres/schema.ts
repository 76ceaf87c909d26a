/** The shop's tables, and the functions that change reservations: each one decision in one transaction. */
import { readFunctions, readMigrations, type Schema } from '../../platform/database/schema.ts';

/**
 * Migrations of 0.1.0 that had only functions, which are in functions/ now. Their names stay: on a database without them, a
 * process of 0.1.0 would run its own, and `fairline doctor` would report them as unknown.
 */
const EMPTIED = [
  '002-holds',
  '007-hold-records',
  '014-hold-headers',
  '015-cheap-refusals',
  '017-seats-with-record',
  '018-quick-holds',
];

export const shopSchema: Schema = {
  migrations: readMigrations(new URL('migrations/', import.meta.url), EMPTIED),
  functions: readFunctions(new URL('functions/', import.meta.url)),
};
