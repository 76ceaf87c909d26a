/** The port to the effects of records: each takes effect once per group, however often it is delivered. */
import type { Transaction } from '../platform/database/database.ts';
import type { Message } from './record-log.ts';

export interface Effects {
  /**
   * Marks these records as processed by the group and runs `effect` for those that were not, in one transaction. Returns the
   * ids of the latter.
   */
  once(
    group: string,
    recordIds: readonly string[],
    effect: (tx: Transaction, isFirst: (recordId: string) => boolean) => Promise<void>,
  ): Promise<ReadonlySet<string>>;
  /** Appends a dead letter to the outbox. */
  bury(message: Message): Promise<void>;
}
