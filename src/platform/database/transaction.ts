/** Transactions that are repeated after a deadlock or serialization failure. */
import type { Database, Transaction } from './database.ts';
import { isWorthRetrying } from './database-errors.ts';

const MAX_TRIES = 5;
const MAX_PAUSE_MS = 40;

/** `work` may run more than once, each time in a new transaction, so it must have no effects except on `tx`. */
export async function inTransaction<T>(database: Database, work: (tx: Transaction) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await database.transaction().execute(work);
    } catch (error) {
      if (tries === MAX_TRIES || !isWorthRetrying(error)) throw error;
      await pause(Math.random() * MAX_PAUSE_MS);
    }
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
