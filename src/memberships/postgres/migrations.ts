/** The tables of memberships. */
import { readMigration } from '../../platform/database/migrate.ts';

export const membershipMigrations = ['009-memberships'].map((name) =>
  readMigration(new URL(`migrations/${name}.sql`, import.meta.url)),
);
