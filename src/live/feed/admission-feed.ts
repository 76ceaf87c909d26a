/**
 * The port that delivers admissions to the process with the visitor's connection. It carries only hints, which may come
 * late, twice or never; the receiver reads the truth from the store (invariant 6).
 */
export interface AdmissionFeed {
  /** Once this resolves, this process gets hints for the visitor. */
  connected(eventId: string, visitor: string): Promise<void>;
  /** The visitor's last connection to this process has closed. True if no other process has one. */
  disconnected(eventId: string, visitor: string): Promise<boolean>;
  /** Does not wait for the store: hints come once it is there. */
  start(onAdmitted: OnAdmitted): Promise<void>;
  /** Resolves when no more hints will come. */
  stop(): Promise<void>;
}

export type OnAdmitted = (eventId: string, visitors: readonly string[]) => void;
