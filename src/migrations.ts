/** All tables, in the order in which they came, whichever service they belong to. */
import { accountMigrations } from './accounts/postgres/migrations.ts';
import { paymentMigrations } from './payments/postgres/migrations.ts';
import type { Migration } from './platform/database/migrate.ts';
import { shopMigrations } from './shop/postgres/migrations.ts';

export const migrations: readonly Migration[] = [...shopMigrations, ...paymentMigrations, ...accountMigrations];
