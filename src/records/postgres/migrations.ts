/** The tables of records. */
import { readMigration } from '../../platform/database/migrate.ts';

export const recordMigrations = ['005-records', '013-record-headers', '016-outbox-by-lane'].map((name) =>
  readMigration(new URL(`migrations/${name}.sql`, import.meta.url)),
);
