/** What a gate tells the line about sessions, and what the line answers: the contract of POST /gate/sessions. */

/** One session: the admission that an entry token proves. */
export interface SessionName {
  eventId: string;
  visitor: string;
  tokenId: string;
}

export interface SessionReport {
  /** Sessions whose visitors were seen. */
  seen: readonly SessionName[];
  /** Sessions that the site has ended. Without `tokenId`: the one that the visitor has. */
  ended: readonly (Omit<SessionName, 'tokenId'> & { tokenId?: string })[];
}

export type SessionAnswer =
  /**
   * `expiresAt` in ms since the epoch. `sessionMs`: the session length of the room. Without `token` if the session has not
   * begun: being seen at a gate does not begin it.
   */
  { outcome: 'stands'; token?: string; expiresAt: number; sessionMs: number } | { outcome: 'ended' };

/** One answer per seen session, in their order. Throws if the line cannot be asked. */
export type ReportSessions = (report: SessionReport) => Promise<readonly SessionAnswer[]>;

export const SESSIONS_PATH = '/gate/sessions';
/** How many sessions of each kind one report may contain. */
export const MOST_SESSIONS = 500;
