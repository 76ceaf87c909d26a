/** What a group does with records. */
import type { Transaction } from '../platform/database/database.ts';
import type { FairlineRecord, RecordOf, RecordType } from './record.ts';

export interface Handling {
  handles(type: RecordType): boolean;
  /** The effect of all of them, in order, as part of one transaction: it may be asked again if that comes to nothing. */
  handle(tx: Transaction, records: readonly FairlineRecord[], inTraceOf: InTraceOf): Promise<void>;
}

/** Does what follows from a record as part of its trace, so that records that are appended by it are too. */
export type InTraceOf = <T>(record: FairlineRecord, work: () => T) => T;

export type Handlers = { [T in RecordType]?: (tx: Transaction, record: RecordOf<T>) => Promise<void> };

/** For effects that have nothing to gain from being had together. */
export function oneAfterTheOther(handlers: Handlers): Handling {
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
