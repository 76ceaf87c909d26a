/** One decision, one transaction. */

import type { Database, Transaction } from './database.ts';
import { isWorthRetrying } from './database-errors.ts';

const TRIES = 5;
const LONGEST_PAUSE_MS = 40;

/** `work` may run more than once, each time in a transaction of its own, so it must do nothing but ask `tx`. */
export async function inTransaction<T>(database: Database, work: (tx: Transaction) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await database.transaction().execute(work);
    } catch (error) {
      if (tries === TRIES || !isWorthRetrying(error)) throw error;
      await pause(Math.random() * LONGEST_PAUSE_MS);
    }
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
