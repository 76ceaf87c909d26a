/**
 * The port to the record log: topics with partitions. Delivery is at least once: a message can arrive twice, and consumers must
 * handle that.
 *
 * Deliberately absent: changing or deleting a message.
 */
export interface RecordLog {
  /** Resolves once the messages are durable. Messages of one key keep their order. */
  publish(messages: readonly Message[]): Promise<void>;
  /**
   * Reads from the position of the group and shares the partitions with its other consumers. `handle` is called with a batch
   * of one partition, and not for that partition again until it resolves; then the position moves. If it rejects, the same
   * messages are delivered again.
   */
  consume(reading: Reading): Consumption;
  /** Reads to the current end: from the position of the group or, without a group, from the start, storing no position. */
  drain(reading: Omit<Reading, 'group'> & { group: string | undefined }): Promise<number>;
  /** Creates missing topics. */
  prepare(topics: readonly string[]): Promise<void>;
  /** Why the log cannot be used now; undefined if it can. Checks every few seconds at most. */
  findFault(): Promise<string | undefined>;
  /** The number of unread messages of the group, by topic. */
  measureLag(group: string, topics: readonly string[]): Promise<Map<string, number>>;
  close(): Promise<void>;
}

/** How a fault begins that an operator must fix: waiting does not help against it. */
export const UNUSABLE_LOG = 'Kafka cannot be used';

/** The record log cannot be used with this configuration. Shown without a stack. */
export class UnusableRecordLogError extends Error {
  override readonly name = 'UnusableRecordLogError';
}

export interface Message {
  topic: string;
  key: string;
  value: string;
  headers?: MessageHeaders;
}

/** The trace of the message, in W3C Trace Context headers. */
export type MessageHeaders = Readonly<Record<string, string>>;

export interface Reading {
  group: string;
  topics: readonly string[];
  /** In order; never empty. */
  handle: (messages: readonly Message[]) => Promise<void>;
}

/** The largest batch: enough records to share the cost of a transaction. */
export const MAX_BATCH = 200;

export interface Consumption {
  /** Resolves when `handle` will not be called again. Finishes the current batches first. */
  stop(): Promise<void>;
}
