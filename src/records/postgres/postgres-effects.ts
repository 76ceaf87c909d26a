/** Effects of records, with a row for each processed record. */
import { sql } from 'kysely';
import type { Transaction } from '../../platform/database/database.ts';
import type { LazyDatabase } from '../../platform/database/lazy-database.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import type { Effects } from '../effects.ts';
import { appendMessage } from './append.ts';

export function createEffects(database: LazyDatabase): Effects {
  return {
    async once(group, recordIds, effect) {
      return inTransaction(await database.get(), async (tx) => {
        const firsts = await note(tx, group, recordIds);
        if (firsts.size > 0) await effect(tx, (recordId) => firsts.has(recordId));
        return firsts;
      });
    },
    async bury(message) {
      await appendMessage(await database.get(), message);
    },
  };
}

/**
 * Returns the records that were not processed yet. If two consumers handle the same record at once, the second waits here for
 * the first and then finds the row. Rows are inserted in sorted order, so that two consumers cannot deadlock.
 */
async function note(tx: Transaction, group: string, recordIds: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ event_key: string }>`
    insert into processed_events (event_key, consumer_group)
    select record_id, ${group} from unnest(${[...recordIds].sort()}::text[]) with ordinality as noted(record_id, no) order by no
    on conflict do nothing returning event_key`.execute(tx);
  return new Set(rows.map((row) => row.event_key));
}
