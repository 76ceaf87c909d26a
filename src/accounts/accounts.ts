/** Registers and signs in with an email and a password. */
import type { Account, AccountStore } from './account-store.ts';
import type { Passwords } from './passwords.ts';

export interface Accounts {
  /** `again`: the same email and password, as in a request repeated after a lost response. */
  register(request: Registration): Promise<RegisterOutcome>;
  signIn(email: string, password: string): Promise<SignInOutcome>;
}

export interface Registration {
  email: string;
  password: string;
  name: string | undefined;
}

export type RegisterOutcome = { outcome: 'created' | 'again'; account: Account } | { outcome: 'taken' | 'busy' };
export type SignInOutcome = { outcome: 'signed-in'; account: Account } | { outcome: 'wrong' | 'busy' };

export function createAccounts(store: Pick<AccountStore, 'create' | 'findToSignIn'>, passwords: Passwords): Accounts {
  async function signIn(email: string, password: string): Promise<SignInOutcome> {
    const found = await store.findToSignIn(email);
    const isRight = await passwords.verify(password, found?.passwordHash);
    if (isRight === 'busy') return { outcome: 'busy' };
    if (!isRight || found === undefined) return { outcome: 'wrong' };
    const { passwordHash: _, ...account } = found;
    return { outcome: 'signed-in', account };
  }

  return {
    signIn,
    async register({ email, password, name }) {
      const passwordHash = await passwords.hash(password);
      if (passwordHash === 'busy') return { outcome: 'busy' };
      const created = await store.create({ email, name, passwordHash });
      if (created.outcome === 'created') return created;
      const known = await signIn(email, password);
      if (known.outcome === 'signed-in') return { outcome: 'again', account: known.account };
      return { outcome: known.outcome === 'busy' ? 'busy' : 'taken' };
    },
  };
}
