/** The port to the sessions of users. Every verb is one transaction and is safe to repeat. */
export interface SessionStore {
  /** Resolves when every other process can see the session. */
  begin(session: UserSession): Promise<void>;
  find(sessionId: string): Promise<UserSession | undefined>;
  /** The user's sessions, the latest first. */
  list(userId: string): Promise<UserSession[]>;
  /** Notes a sign of life. */
  see(sessionId: string): Promise<void>;
  /** Ends a session before it expires. */
  end(sessionId: string, expiresAt: number): Promise<void>;
  /** Ends all sessions of the user but one. Returns the ids of those that ended. */
  endAllOf(userId: string, except: string | undefined, expiresAt: number): Promise<string[]>;
  /**
   * The ids of ended sessions that have not expired yet: all of them, or those that ended in the last minute. An id that starts
   * with `user:` is a user whose sessions of earlier releases, which are not listed, all ended.
   */
  listEnded(which: 'all' | 'latest'): Promise<string[]>;
}

export interface UserSession {
  sessionId: string;
  userId: string;
  browser: string;
  address: string;
  signedInAt: number;
  lastSeenAt: number;
  expiresAt: number;
}
