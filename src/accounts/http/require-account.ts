/** Returns the account of the signed-in visitor, or throws. */
import type { FastifyRequest } from 'fastify';
import { AppError } from '../../http/errors.ts';
import type { Identity } from '../../identity/identity.ts';
import { requireVisitor } from '../../identity/require-visitor.ts';
import type { Account, AccountStore } from '../account-store.ts';

export interface SignedIn {
  account: Account;
  /** undefined: a token of another site, which cannot be ended. */
  sessionId: string | undefined;
}

export async function requireAccount(
  request: FastifyRequest,
  identity: Identity,
  store: Pick<AccountStore, 'find'>,
): Promise<SignedIn> {
  const { id, kind, sessionId } = requireVisitor(request, identity);
  if (kind === 'guest') throw new AppError('UNAUTHENTICATED');
  const account = await store.find(id);
  if (account !== undefined) return { account, sessionId };
  throw new AppError('ACCOUNT_NOT_FOUND', { message: 'You have no account here. Another site manages your account.' });
}
