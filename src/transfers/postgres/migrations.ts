/** The tables of transfers; after those of reservations and records. */
import { readMigration } from '../../platform/database/migrate.ts';

export const transferMigrations = ['008-transfers'].map((name) =>
  readMigration(new URL(`migrations/${name}.sql`, import.meta.url)),
);
