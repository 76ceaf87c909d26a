/** Operator endpoint for accounts: grants and revokes the operator role. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { AppError } from '../../http/errors.ts';
import type { Operators } from '../../identity/operators.ts';
import type { AccountStore } from '../account-store.ts';
import { normaliseEmail } from '../email.ts';

export interface AccountAdminOptions {
  accountStore: Pick<AccountStore, 'setRole'>;
  operators: Operators;
}

const Role = Type.Union([Type.Literal('user'), Type.Literal('operator')]);

export const accountAdminRoutes: FastifyPluginAsyncTypebox<AccountAdminOptions> = async (app, options) => {
  const { accountStore, operators } = options;
  app.addHook('onRequest', async (request) => operators.require(request));

  app.put(
    '/admin/accounts/role',
    {
      schema: {
        tags: ['operators: accounts'],
        security: [{ operator: [] }],
        summary: 'Set the role of an account. operator applies from the next sign-in; user ends its operator sessions',
        body: Type.Object(
          { email: Type.String({ minLength: 3, maxLength: 254 }), role: Role },
          { additionalProperties: false },
        ),
        response: { 200: Type.Object({ userId: Type.String(), email: Type.String(), role: Role }) },
      },
    },
    async (request) => {
      const { email, role } = request.body;
      const account = await accountStore.setRole(normaliseEmail(email) ?? '', role);
      if (account === undefined) throw new AppError('ACCOUNT_NOT_FOUND');
      const { userId } = account;
      const details = { userId, role };
      if (role === 'user') operators.sessions.endAllOf(account.email);
      await operators.audit(request, { action: 'set role', details });
      return { userId, email: account.email, role };
    },
  );
};
