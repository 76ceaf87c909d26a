/** The tables and functions of all services: they share one database. */
import { accountSchema } from '../accounts/postgres/schema.ts';
import { operatorSchema } from '../identity/postgres/schema.ts';
import { membershipSchema } from '../memberships/postgres/schema.ts';
import { paymentSchema } from '../payments/postgres/schema.ts';
import { combineSchemas } from '../platform/database/schema.ts';
import { posterSchema } from '../posters/postgres/schema.ts';
import { recordSchema } from '../records/postgres/schema.ts';
import { shopSchema } from '../shop/postgres/schema.ts';
import { statsSchema } from '../stats/postgres/schema.ts';
import { transferSchema } from '../transfers/postgres/schema.ts';

export const databaseSchema = combineSchemas([
  shopSchema,
  paymentSchema,
  accountSchema,
  operatorSchema,
  recordSchema,
  transferSchema,
  membershipSchema,
  statsSchema,
  posterSchema,
]);
