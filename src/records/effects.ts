/** The port to the effects of records: each at most once for each group, whatever comes how often. */
import type { Transaction } from '../platform/database/database.ts';
import type { Message } from './record-log.ts';

export interface Effects {
  /** Runs `effect` in one transaction with the note that the group has handled the record; false if it had before. */
  once(group: string, recordId: string, effect: (tx: Transaction) => Promise<void>): Promise<boolean>;
  /** Puts a message aside that could not be handled, by way of the outbox. */
  bury(message: Message): Promise<void>;
}
