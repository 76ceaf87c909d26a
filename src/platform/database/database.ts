/** The words in which the rest of the program speaks of a database. */
import type { Kysely, Transaction as KyselyTransaction } from 'kysely';

/** Statements are written as SQL with the types of their rows beside them, so the tables have no types of their own. */
export type Database = Kysely<unknown>;
export type Transaction = KyselyTransaction<unknown>;
/** What a statement runs on: outside of a transaction, or in one. */
export type Executor = Database | Transaction;
