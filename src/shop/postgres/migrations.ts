/** The shop's tables, in the order in which they came. */
import { readMigration } from '../../platform/database/migrate.ts';

export const shopMigrations = [
  '001-shop',
  '002-holds',
  '007-hold-records',
  '011-on-sale-at',
  '014-hold-headers',
  '015-cheap-refusals',
  '017-seats-with-record',
  '018-quick-holds',
].map((name) => readMigration(new URL(`migrations/${name}.sql`, import.meta.url)));
