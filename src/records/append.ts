/**
 * Appends a record in the transaction that makes it true: there is a record if and only if the change was committed. Records of
 * one key keep the order of their commits, because every such transaction locks the row that the key names.
 */
import type { Transaction } from '../platform/database/database.ts';
import type { Payload, RecordType } from './record.ts';
import type { MessageHeaders } from './record-log.ts';

export interface Draft<T extends RecordType = RecordType> {
  type: T;
  payload: Payload<T>;
  at: Date;
}

/** The headers with which a consumer continues the current trace; undefined outside of a trace. */
export type TraceHeaders = () => MessageHeaders | undefined;

export type Append = <T extends RecordType>(tx: Transaction, draft: Draft<T>) => Promise<void>;
