/** The keys of operators in Redis: ended sessions, the directory. */
export const endedSessionKey = (sessionId: string): string => `operator:ended:${sessionId}`;
export const directoryKey = (kind: string): string => `operator:directory:${kind}`;
