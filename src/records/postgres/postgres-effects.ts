/** Effects, with a row for each record that had its own. */
import { sql } from 'kysely';
import type { Transaction } from '../../platform/database/database.ts';
import type { LazyDatabase } from '../../platform/database/lazy-database.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import type { Effects } from '../effects.ts';
import { appendMessage } from './append.ts';

export function createEffects(database: LazyDatabase): Effects {
  return {
    async once(group, recordId, effect) {
      return inTransaction(await database.get(), async (tx) => {
        if (!(await note(tx, group, recordId))) return false;
        await effect(tx);
        return true;
      });
    },
    async bury(message) {
      await appendMessage(await database.get(), message);
    },
  };
}

/** Two who handle the same record at once: the second waits here for the first, and then finds it noted. */
async function note(tx: Transaction, group: string, recordId: string): Promise<boolean> {
  const { rows } = await sql`
    insert into processed_events (event_key, consumer_group) values (${recordId}, ${group})
    on conflict do nothing returning event_key`.execute(tx);
  return rows.length > 0;
}
