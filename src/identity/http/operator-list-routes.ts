/** Endpoints for who is an operator: accounts with a role, invitations, and operators of the identity provider. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { AppError } from '../../http/errors.ts';
import type { FieldProblem } from '../../http/field-problem.ts';
import type { Operators } from '../operators.ts';
import { toEmail } from '../provider/provider-claims.ts';
import { RoleField } from './operator-session-answer.ts';

export interface OperatorListOptions {
  operators: Operators;
}

const Email = Type.String({ minLength: 3, maxLength: 254 });
const Invitation = Type.Object({
  email: Type.String(),
  role: RoleField,
  invitedAt: Type.String(),
  invitedBy: Type.String(),
});
const Listing = Type.Object(
  {
    accounts: Type.Array(Type.Object({ email: Type.String(), role: RoleField, secondFactor: Type.Boolean() }), {
      description: 'accounts of this instance with a role; PUT /api/admin/accounts/role changes them',
    }),
    invitations: Type.Array(Invitation, { description: 'who may sign in by the identity provider, by email' }),
    people: Type.Array(
      Type.Object({
        id: Type.String(),
        name: Type.String({ description: 'as in the audit trail' }),
        subject: Type.String({ description: 'the claim sub' }),
        email: Type.Optional(Type.String()),
        role: RoleField,
        by: Type.Union([Type.Literal('claim'), Type.Literal('invitation')], { description: 'what gave the role' }),
        lastSignInAt: Type.String(),
      }),
      { description: 'who has signed in by the identity provider, the last first' },
    ),
  },
  { title: 'OperatorListing' },
);

export const operatorListRoutes: FastifyPluginAsyncTypebox<OperatorListOptions> = async (app, { operators }) => {
  const { people, accounts } = operators;
  const schema = { tags: ['operators: roles'], security: [{ operator: [] }] };
  app.addHook('onRequest', async (request) => operators.require(request));

  app.get(
    '/admin/operators',
    {
      schema: {
        ...schema,
        operationId: 'listOperators',
        summary: 'Who is an operator, with which role',
        response: { 200: Listing },
      },
    },
    async () => {
      const [known, invitations, persons] = await Promise.all([
        accounts?.store.list() ?? [],
        people.listInvitations(),
        people.listPeople(),
      ]);
      return {
        accounts: known.map(({ email, role, hasFactor }) => ({ email, role: role!, secondFactor: hasFactor })),
        invitations: invitations.map(({ invitedAt, ...rest }) => ({ ...rest, invitedAt: toText(invitedAt) })),
        people: persons.map(({ id, name, subject, email, role, by, lastSignInAt }) => ({
          ...{ id, name, subject, role, by, lastSignInAt: toText(lastSignInAt) },
          ...(email === undefined ? {} : { email }),
        })),
      };
    },
  );

  app.put(
    '/admin/operators/invitations',
    {
      schema: {
        ...schema,
        operationId: 'putOperatorInvitation',
        errors: ['OPERATOR_LIST_FULL'],
        summary: 'Invite an operator of the identity provider by email, or change the role of the invitation',
        body: Type.Object({ email: Email, role: RoleField }, { additionalProperties: false }),
        response: { 200: Type.Object({ email: Type.String(), role: RoleField }) },
      },
    },
    async (request) => {
      const { role } = request.body;
      const email = requireEmail(request.body.email);
      const { name } = operators.callerOf(request);
      if (!(await people.invite(email, role, name))) throw new AppError('OPERATOR_LIST_FULL');
      await operators.audit(request, { action: 'invite operator', details: { email, role } });
      return { email, role };
    },
  );

  app.delete(
    '/admin/operators/invitations/:email',
    {
      schema: {
        ...schema,
        operationId: 'withdrawOperatorInvitation',
        errors: ['OPERATOR_NOT_FOUND'],
        summary: 'Withdraw an invitation; sessions that depend on it end within two seconds',
        params: Type.Object({ email: Email }),
        response: { 200: Type.Object({ email: Type.String(), withdrawn: Type.Boolean() }) },
      },
    },
    async (request) => {
      const email = requireEmail(request.params.email);
      if (!(await people.withdraw(email))) throw new AppError('OPERATOR_NOT_FOUND');
      await operators.audit(request, { action: 'withdraw invitation', details: { email } });
      return { email, withdrawn: true };
    },
  );

  app.post(
    '/admin/operators/:id/end-sessions',
    {
      schema: {
        ...schema,
        operationId: 'endOperatorSessions',
        errors: ['OPERATOR_NOT_FOUND'],
        summary: 'End all sessions of an operator of the identity provider',
        params: Type.Object({ id: Type.String({ pattern: '^[A-Za-z0-9_-]{22}$' }) }),
        response: { 200: Type.Object({ id: Type.String(), name: Type.String() }) },
      },
    },
    async (request) => {
      const { id } = request.params;
      const person = await people.endSessions(id);
      if (person === undefined) throw new AppError('OPERATOR_NOT_FOUND');
      await operators.audit(request, { action: 'end operator sessions', details: { operator: person.name } });
      return { id, name: person.name };
    },
  );
};

function requireEmail(text: string): string {
  const email = toEmail(text);
  if (email !== undefined) return email;
  const fields: FieldProblem[] = [
    { field: 'email', message: 'must be an email address', rule: 'format', limit: 'email' },
  ];
  throw new AppError('INVALID_INPUT', { message: 'email must be an email address', fields });
}

const toText = (at: number) => new Date(at).toISOString();
