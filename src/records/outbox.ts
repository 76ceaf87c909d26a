/**
 * The port to records that were appended and are not in the log yet. They wait in the partition of their key, in the order in
 * which they were appended. One relay at a time has a partition.
 */
import type { Message } from './record-log.ts';

export interface Outbox {
  /** Leases a partition with waiting records to this caller; undefined if there is none. */
  takePartition(): Promise<OutboxPartition | undefined>;
  /** The number of waiting records, and the age of the oldest. */
  measure(): Promise<{ waiting: number; oldestMs: number }>;
}

export interface OutboxPartition {
  /** The next batch, in order. Records stay until they are removed. */
  readonly waiting: readonly WaitingRecord[];
  remove(records: readonly WaitingRecord[]): Promise<void>;
  /** Prolongs the lease, which is short: the partition of a relay that died must not wait for long. */
  keep(): Promise<void>;
  /** Ends the lease. */
  release(): Promise<void>;
}

export interface WaitingRecord extends Message {
  id: string;
}
