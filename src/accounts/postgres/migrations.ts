/** The tables of accounts, in the order in which they came. */
import { readMigration } from '../../platform/database/migrate.ts';

export const accountMigrations = ['004-accounts'].map((name) =>
  readMigration(new URL(`migrations/${name}.sql`, import.meta.url)),
);
