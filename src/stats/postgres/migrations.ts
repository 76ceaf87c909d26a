/** The tables of the statistics. */
import { readMigration } from '../../platform/database/migrate.ts';

export const statsMigrations = ['010-stats'].map((name) =>
  readMigration(new URL(`migrations/${name}.sql`, import.meta.url)),
);
