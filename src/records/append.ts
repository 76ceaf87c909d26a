/**
 * How a service says what has happened: in the transaction that makes it true, so that there is a record if and only if
 * it happened. Records of one key keep the order in which their transactions committed, because whoever changes the
 * thing that the key names has it locked.
 */
import type { Transaction } from '../platform/database/database.ts';
import type { Payload, RecordType } from './record.ts';
import type { MessageHeaders } from './record-log.ts';

export interface Draft<T extends RecordType = RecordType> {
  type: T;
  payload: Payload<T>;
  sagaId: string;
  at: Date;
}

/** The headers by which whoever reads a record goes on with the trace of what is being done now; undefined if it has none. */
export type TraceHeaders = () => MessageHeaders | undefined;

export type Append = <T extends RecordType>(tx: Transaction, draft: Draft<T>) => Promise<void>;
