/** A session as the API shows it to its owner. */
import { type Static, Type } from 'typebox';

export const SessionAnswer = Type.Object(
  {
    sessionId: Type.String(),
    isCurrent: Type.Boolean({ description: 'the session of this request' }),
    browser: Type.String({ description: 'such as "Chrome, Windows"; empty if it is not recognized' }),
    address: Type.String({ description: 'IP address without its last part' }),
    signedInAt: Type.String({ format: 'date-time' }),
    lastSeenAt: Type.String({
      format: 'date-time',
      description: 'when the session last asked for its account, to the minute',
    }),
    expiresAt: Type.String({ format: 'date-time' }),
  },
  { title: 'Session' },
);
export type SessionAnswer = Static<typeof SessionAnswer>;
