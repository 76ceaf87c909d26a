/** Registers, signs in, and changes passwords. */
import type { Account, AccountStore } from './account-store.ts';
import { hashSecret } from './mailed-links.ts';
import type { Asker, Passwords } from './passwords.ts';
import { findPasswordProblem, type PasswordProblem } from './rules/password-rules.ts';

export interface Accounts {
  /** `again`: the same email and password, as in a request repeated after a lost response. */
  register(request: Registration, who?: Asker): Promise<RegisterOutcome>;
  signIn(email: string, password: string, who?: Asker): Promise<SignInOutcome>;
  changePassword(change: PasswordChange): Promise<ChangeOutcome>;
  /** Sets a new password by the secret of a mailed link. */
  resetPassword(secret: string, password: string): Promise<ResetOutcome>;
}

export interface Registration {
  email: string;
  password: string;
  name: string | undefined;
}

export interface PasswordChange {
  account: Account;
  current: string;
  password: string;
}

export interface Weak {
  outcome: 'weak';
  problem: PasswordProblem;
}

/** Too many passwords are being hashed. */
export interface Busy {
  outcome: 'busy';
}

export type RegisterOutcome = { outcome: 'created' | 'again'; account: Account } | { outcome: 'taken' } | Busy | Weak;
export type SignInOutcome = { outcome: 'signed-in'; account: Account } | { outcome: 'wrong' } | Busy;
export type ChangeOutcome = { outcome: 'changed' | 'wrong' } | Busy | Weak;
export type ResetOutcome = { outcome: 'reset'; account: Account } | { outcome: 'no-link' } | Busy | Weak;

type Store = Pick<
  AccountStore,
  'create' | 'findToSignIn' | 'findHash' | 'setPassword' | 'findByLink' | 'resetPassword'
>;

export function createAccounts(store: Store, passwords: Passwords): Accounts {
  async function signIn(email: string, password: string, who: Asker = 'stranger'): Promise<SignInOutcome> {
    const found = await store.findToSignIn(email);
    const isRight = await passwords.verify(password, found?.passwordHash, who);
    if (isRight === 'busy') return { outcome: 'busy' };
    if (!isRight || found === undefined) return { outcome: 'wrong' };
    const { passwordHash: _, ...account } = found;
    return { outcome: 'signed-in', account };
  }

  return {
    signIn,
    async register({ email, password, name }, who) {
      const problem = findPasswordProblem(password, [email, name ?? '']);
      if (problem !== undefined) return { outcome: 'weak', problem };
      const passwordHash = await passwords.hash(password, who);
      if (passwordHash === 'busy') return { outcome: 'busy' };
      const created = await store.create({ email, name, passwordHash });
      if (created.outcome === 'created') return created;
      const known = await signIn(email, password, who);
      if (known.outcome === 'signed-in') return { outcome: 'again', account: known.account };
      return { outcome: known.outcome === 'busy' ? 'busy' : 'taken' };
    },
    async changePassword({ account, current, password }) {
      const isRight = await passwords.verify(current, await store.findHash(account.userId), 'known');
      if (isRight === 'busy') return { outcome: 'busy' };
      if (!isRight) return { outcome: 'wrong' };
      const problem = findPasswordProblem(password, [account.email, account.name ?? '']);
      if (problem !== undefined) return { outcome: 'weak', problem };
      const passwordHash = await passwords.hash(password, 'known');
      if (passwordHash === 'busy') return { outcome: 'busy' };
      await store.setPassword(account.userId, passwordHash);
      return { outcome: 'changed' };
    },
    async resetPassword(secret, password) {
      const secretHash = hashSecret(secret);
      // Before hashing, which only a link that works may cause.
      const account = await store.findByLink(secretHash, 'reset password');
      if (account === undefined) return { outcome: 'no-link' };
      const problem = findPasswordProblem(password, [account.email, account.name ?? '']);
      if (problem !== undefined) return { outcome: 'weak', problem };
      const passwordHash = await passwords.hash(password, 'known');
      if (passwordHash === 'busy') return { outcome: 'busy' };
      const reset = await store.resetPassword(secretHash, passwordHash);
      return reset === undefined ? { outcome: 'no-link' } : { outcome: 'reset', account: reset };
    },
  };
}
