/**
 * The port to operator sessions that were ended before they expired. Shared by all processes and kept over restarts: in
 * PostgreSQL, else in Redis, else in a file, because then there is only one process.
 */
export interface EndedSessions {
  /** Takes effect in every process with its next request. `expiresAt`: in seconds, when it can be forgotten. */
  end(sessionId: string, expiresAt: number): Promise<void>;
  hasEnded(sessionId: string): Promise<boolean>;
  close(): Promise<void>;
}
