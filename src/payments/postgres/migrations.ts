/** The tables of payments, in the order in which they came; after the shop's, to which they refer. */
import { readMigration } from '../../platform/database/migrate.ts';

export const paymentMigrations = ['003-payments', '006-payment-types'].map((name) =>
  readMigration(new URL(`migrations/${name}.sql`, import.meta.url)),
);
