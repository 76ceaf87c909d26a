/** The port to the effects of records: each at most once for each group, whatever comes how often. */
import type { Transaction } from '../platform/database/database.ts';
import type { Message } from './record-log.ts';

export interface Effects {
  /**
   * Runs `effect` in one transaction with the note that the group has handled these records, for those that it had not
   * before; tells which these were.
   */
  once(
    group: string,
    recordIds: readonly string[],
    effect: (tx: Transaction, isFirst: (recordId: string) => boolean) => Promise<void>,
  ): Promise<ReadonlySet<string>>;
  /** Puts a message aside that could not be handled, by way of the outbox. */
  bury(message: Message): Promise<void>;
}
