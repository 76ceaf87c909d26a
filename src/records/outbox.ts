/**
 * The port to the records that were appended and are not in the log yet. They wait in lanes, one for each partition of
 * a key, in the order of their appending; a lane is carried by one relay at a time.
 */
import type { Message } from './record-log.ts';

export interface Outbox {
  /** A lane in which something waits, for this caller alone for a while; undefined if there is none to be had. */
  takeLane(): Promise<Lane | undefined>;
  /** How many wait, and for how long the first of them has. */
  measure(): Promise<{ waiting: number; oldestMs: number }>;
}

export interface Lane {
  /** The next few, in order; they stay until they are removed. */
  readonly waiting: readonly WaitingRecord[];
  remove(records: readonly WaitingRecord[]): Promise<void>;
  /** Lets others have the lane. */
  release(): Promise<void>;
}

export interface WaitingRecord extends Message {
  id: string;
}
