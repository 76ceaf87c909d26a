/** All tables, in the order in which they came, whichever service they belong to. */
import { membershipMigrations } from './memberships/postgres/migrations.ts';
import { paymentMigrations } from './payments/postgres/migrations.ts';
import type { Migration } from './platform/database/migrate.ts';
import { recordMigrations } from './records/postgres/migrations.ts';
import { shopMigrations } from './shop/postgres/migrations.ts';
import { statsMigrations } from './stats/postgres/migrations.ts';
import { transferMigrations } from './transfers/postgres/migrations.ts';

export const migrations: readonly Migration[] = [
  ...shopMigrations,
  ...paymentMigrations,
  ...recordMigrations,
  ...transferMigrations,
  ...membershipMigrations,
  ...statsMigrations,
];
