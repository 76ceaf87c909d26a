/** All tables, in the order in which they came, whichever service they belong to. */
import { paymentMigrations } from './payments/postgres/migrations.ts';
import type { Migration } from './platform/database/migrate.ts';
import { recordMigrations } from './records/postgres/migrations.ts';
import { shopMigrations } from './shop/postgres/migrations.ts';

export const migrations: readonly Migration[] = [...shopMigrations, ...paymentMigrations, ...recordMigrations];
