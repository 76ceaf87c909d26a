/**
 * The port to where accounts are kept. Every verb is one transaction and may be repeated blindly. Expected outcomes are
 * values; a database that cannot be asked throws.
 *
 * Deliberately absent: anything that gives out a password's hash but finding an account to sign in to.
 */
export interface AccountStore {
  /** `taken`: the email has an account already. */
  create(account: NewAccount): Promise<{ outcome: 'created'; account: Account } | { outcome: 'taken' }>;
  /** `email` as normaliseEmail makes it. */
  findToSignIn(email: string): Promise<(Account & { passwordHash: string }) | undefined>;
  find(userId: string): Promise<Account | undefined>;
  setRole(email: string, role: Role): Promise<Account | undefined>;
  /**
   * Whatever the guest holds, has bought, sells and has paid is the user's from now on. `busy`: it cannot be while
   * something of both is under way; soon it can.
   */
  takeOver(guest: string, userId: string): Promise<'done' | 'busy'>;

  /** A session was ended before its time. */
  endSession(sessionId: string, expiresAt: number): Promise<void>;
  /** Those that were ended and would not be over yet. */
  listEndedSessions(): Promise<string[]>;
}

export type Role = 'user' | 'operator';

export interface Account {
  userId: string;
  email: string;
  name: string | undefined;
  role: Role;
}

export interface NewAccount {
  email: string;
  name: string | undefined;
  passwordHash: string;
}
