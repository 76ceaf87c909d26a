/** The keys of operator sessions in Redis. */
export const endedSessionKey = (sessionId: string): string => `operator:ended:${sessionId}`;
