/**
 * The port to where records are kept, in topics of partitions, for whoever wants to know. Every verb works at least
 * once: a message may come twice, and then it is the reader who must not mind.
 *
 * Deliberately absent: changing or deleting a message.
 */
export interface RecordLog {
  /** Resolves once the messages would survive. Those of one key keep their order. */
  publish(messages: readonly Message[]): Promise<void>;
  /**
   * Reads on from where the group is, together with everyone else who consumes as this group. `handle` is called with a
   * few messages of one partition, and not for that partition again before it resolves: then the group is past them. If
   * it rejects, the same messages come again.
   */
  consume(reading: Reading): Consumption;
  /** Reads what there is by now: from where the group is, or from the start and leaving no trace if there is none. */
  drain(reading: Omit<Reading, 'group'> & { group: string | undefined }): Promise<number>;
  /** How many messages of each topic the group has yet to read. */
  measureLag(group: string, topics: readonly string[]): Promise<Map<string, number>>;
  close(): Promise<void>;
}

export interface Message {
  topic: string;
  key: string;
  value: string;
  headers?: MessageHeaders;
}

/** What goes with a message besides its words: the trace that it is part of, as W3C Trace Context has it. */
export type MessageHeaders = Readonly<Record<string, string>>;

export interface Reading {
  group: string;
  topics: readonly string[];
  /** In order; never none. */
  handle: (messages: readonly Message[]) => Promise<void>;
}

/** How many messages are handled together at most: enough that what each transaction costs is shared by many. */
export const MOST_TOGETHER = 200;

export interface Consumption {
  /** Resolves when `handle` will not be called any more. Messages under way are brought to their end. */
  stop(): Promise<void>;
}
