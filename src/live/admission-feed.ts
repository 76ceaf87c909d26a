/**
 * The port by which news of admissions reaches the process that holds the visitor's connection. What it carries are
 * hints: one may come late, twice, or never. The truth is in the store, where whoever gets a hint looks it up.
 */
export interface AdmissionFeed {
  /** From when this resolves on, admissions of this visitor are news for this process. */
  connected(eventId: string, visitor: string): Promise<void>;
  /** The visitor's last connection to this process is gone. True if no other process has one. */
  disconnected(eventId: string, visitor: string): Promise<boolean>;
  start(onAdmitted: OnAdmitted): Promise<void>;
  /** Resolves when no further news will come. */
  stop(): Promise<void>;
}

export type OnAdmitted = (eventId: string, visitors: readonly string[]) => void;
