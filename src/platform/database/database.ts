/** Database types for the rest of the program. */
import type { Kysely, Transaction as KyselyTransaction } from 'kysely';

/** Statements are SQL with typed rows, so there are no table types. */
export type Database = Kysely<unknown>;
export type Transaction = KyselyTransaction<unknown>;
/** Runs a statement, in a transaction or outside. */
export type Executor = Database | Transaction;
