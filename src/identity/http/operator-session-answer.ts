/** An operator session as the API shows it. */
import { type Static, Type } from 'typebox';
import { type FoundSession, type OperatorSession, ownerOf } from '../operator-sessions.ts';
import { type OperatorRole, operatorRoles } from '../roles/operator-roles.ts';

export const RoleField = Type.Unsafe<OperatorRole>({ type: 'string', enum: [...operatorRoles] });

export const SessionAnswer = Type.Object(
  {
    signedIn: Type.Boolean(),
    expiresAt: Type.Optional(Type.String({ description: 'a GET before this time extends the session' })),
    by: Type.Optional(Type.String({ description: 'the account that signed in; absent: no account did' })),
    name: Type.Optional(Type.String({ description: 'who is signed in, as in the audit trail' })),
    role: Type.Optional(RoleField),
    missing: Type.Optional(
      Type.Union([Type.Literal('code'), Type.Literal('enrol')], {
        description: 'what the session of the account still needs: a code, or a second factor',
      }),
    ),
  },
  { title: 'OperatorSession' },
);
export type SessionAnswer = Static<typeof SessionAnswer>;

export function toSessionAnswer(session: OperatorSession, role: FoundSession['role']): SessionAnswer {
  const { expiresAt, by } = session;
  return {
    signedIn: true,
    expiresAt: new Date(expiresAt * 1000).toISOString(),
    ...(by === undefined ? {} : { by }),
    name: ownerOf(session),
    role,
  };
}
