/** The signed-in visitor as the API shows it. */
import { type Static, Type } from 'typebox';

export const WhoAnswer = Type.Object(
  {
    id: Type.String({ description: 'the same as userId' }),
    userId: Type.String(),
    kind: Type.Union([Type.Literal('user'), Type.Literal('guest')]),
    email: Type.Optional(Type.String({ description: 'if the visitor has an account here' })),
    name: Type.Optional(Type.String()),
    emailVerified: Type.Optional(Type.Boolean({ description: 'true if the email is confirmed, otherwise absent' })),
    role: Type.Optional(Type.Union([Type.Literal('user'), Type.Literal('operator')])),
    operatorRole: Type.Optional(
      Type.Union([Type.Literal('viewer'), Type.Literal('operator'), Type.Literal('admin')], {
        description: 'what the account may do as an operator; absent: it is none',
      }),
    ),
  },
  { title: 'Who' },
);
export type WhoAnswer = Static<typeof WhoAnswer>;
