/** An operator session as the API shows it. */
import { type Static, Type } from 'typebox';

export const SessionAnswer = Type.Object(
  {
    signedIn: Type.Boolean(),
    expiresAt: Type.Optional(Type.String({ description: 'a GET before this time extends the session' })),
    by: Type.Optional(Type.String({ description: 'the account that signed in; absent: the operator token' })),
    missing: Type.Optional(
      Type.Union([Type.Literal('code'), Type.Literal('enrol')], {
        description: 'what the session of the account still needs: a code, or a second factor',
      }),
    ),
  },
  { title: 'OperatorSession' },
);
export type SessionAnswer = Static<typeof SessionAnswer>;

export function toSessionAnswer({ expiresAt, by }: { expiresAt: number; by?: string }): SessionAnswer {
  return {
    signedIn: true,
    expiresAt: new Date(expiresAt * 1000).toISOString(),
    ...(by === undefined ? {} : { by }),
  };
}
