/** All tables, in the order in which they came, whichever service they belong to. */
import { accountMigrations } from '../accounts/postgres/migrations.ts';
import { membershipMigrations } from '../memberships/postgres/migrations.ts';
import { paymentMigrations } from '../payments/postgres/migrations.ts';
import type { Migration } from '../platform/database/migrate.ts';
import { recordMigrations } from '../records/postgres/migrations.ts';
import { shopMigrations } from '../shop/postgres/migrations.ts';
import { statsMigrations } from '../stats/postgres/migrations.ts';
import { transferMigrations } from '../transfers/postgres/migrations.ts';

/** Names begin with the number by which they came. */
export const migrations: readonly Migration[] = [
  ...shopMigrations,
  ...paymentMigrations,
  ...accountMigrations,
  ...recordMigrations,
  ...transferMigrations,
  ...membershipMigrations,
  ...statsMigrations,
].sort((a, b) => (a.name < b.name ? -1 : 1));
