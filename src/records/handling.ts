/** What a consumer group does with records. */
import type { Transaction } from '../platform/database/database.ts';
import type { FairlineRecord, RecordOf, RecordType } from './record.ts';

export interface Handling {
  handles(type: RecordType): boolean;
  /** Applies all records in order, as part of one transaction. Called again if the transaction fails. */
  handle(tx: Transaction, records: readonly FairlineRecord[], inTraceOf: InTraceOf): Promise<void>;
}

/** Runs `work` in the trace of the record, so that records appended by it belong to the same trace. */
export type InTraceOf = <T>(record: FairlineRecord, work: () => T) => T;

export type Handlers = { [T in RecordType]?: (tx: Transaction, record: RecordOf<T>) => Promise<void> };

/** For effects that gain nothing from a batch. */
export function handleEach(handlers: Handlers): Handling {
  return {
    handles: (type) => handlers[type] !== undefined,
    async handle(tx, records, inTraceOf) {
      for (const record of records) {
        const handler = handlers[record.type] as (tx: Transaction, record: FairlineRecord) => Promise<void>;
        await inTraceOf(record, () => handler(tx, record));
      }
    },
  };
}
