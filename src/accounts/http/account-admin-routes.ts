/** Operator endpoints for accounts: set the role of an account, reset the second factor of an operator. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { AppError } from '../../http/errors.ts';
import type { Operators } from '../../identity/operators.ts';
import { normaliseEmail } from '../../platform/email.ts';
import type { AccountStore } from '../account-store.ts';

export interface AccountAdminOptions {
  accountStore: Pick<AccountStore, 'setRole'>;
  operators: Operators;
}

const Role = Type.Union([
  Type.Literal('user'),
  Type.Literal('viewer'),
  Type.Literal('operator'),
  Type.Literal('admin'),
]);
const Email = Type.String({ minLength: 3, maxLength: 254 });

export const accountAdminRoutes: FastifyPluginAsyncTypebox<AccountAdminOptions> = async (app, options) => {
  const { accountStore, operators } = options;
  const schema = { tags: ['operators: accounts'], security: [{ operator: [] }] };
  app.addHook('onRequest', async (request) => operators.require(request));

  app.put(
    '/admin/accounts/role',
    {
      schema: {
        ...schema,
        operationId: 'putAccountRole',
        errors: ['ACCOUNT_NOT_FOUND'],
        summary:
          'Set the role of an account. A first role applies from the next sign-in, another one at once; user ends its ' +
          'operator sessions',
        body: Type.Object({ email: Email, role: Role }, { additionalProperties: false }),
        response: { 200: Type.Object({ userId: Type.String(), email: Type.String(), role: Role }) },
      },
    },
    async (request) => {
      const { role } = request.body;
      const email = normaliseEmail(request.body.email) ?? '';
      // Before, so that no crash in between leaves sessions that a later grant would bring back; and after, for a
      // sign-in in between.
      if (role === 'user') await operators.sessions.endAllOf(email);
      const account = await accountStore.setRole(email, role === 'user' ? undefined : role);
      if (account === undefined) throw new AppError('ACCOUNT_NOT_FOUND');
      if (role === 'user') await operators.sessions.endAllOf(email);
      const { userId } = account;
      await operators.audit(request, { action: 'set role', details: { userId, email, role } });
      return { userId, email: account.email, role };
    },
  );

  app.post(
    '/admin/accounts/second-factor/reset',
    {
      schema: {
        ...schema,
        operationId: 'resetSecondFactor',
        errors: ['ACCOUNT_NOT_FOUND', 'OWN_SECOND_FACTOR', 'NO_SECOND_FACTOR'],
        summary: 'Remove the second factor of another operator who lost it; ends the sessions of the account',
        body: Type.Object({ email: Email }, { additionalProperties: false }),
        response: { 200: Type.Object({ userId: Type.String(), email: Type.String() }) },
      },
    },
    async (request) => {
      const email = normaliseEmail(request.body.email) ?? '';
      const account = await operators.accounts?.store.find(email);
      if (account === undefined) throw new AppError('ACCOUNT_NOT_FOUND');
      const session = request.headers.authorization === undefined && (await operators.findSession(request.headers));
      if (session && session.by === email) throw new AppError('OWN_SECOND_FACTOR');
      const { userId } = account;
      if (!(await operators.accounts!.secondFactor.store.remove(userId))) throw new AppError('NO_SECOND_FACTOR');
      await operators.sessions.endAllOf(email);
      await operators.audit(request, { action: 'reset second factor', details: { userId, email } });
      return { userId, email };
    },
  );
};
