/**
 * The port to accounts. Every verb is one transaction and is safe to repeat. Expected outcomes are values; an unavailable database
 * throws.
 *
 * Deliberately absent: any way to a password hash other than `findToSignIn`.
 */
export interface AccountStore {
  /** `taken`: the email already has an account. */
  create(account: NewAccount): Promise<{ outcome: 'created'; account: Account } | { outcome: 'taken' }>;
  /** `email` as returned by normaliseEmail. */
  findToSignIn(email: string): Promise<(Account & { passwordHash: string }) | undefined>;
  find(userId: string): Promise<Account | undefined>;
  setRole(email: string, role: Role): Promise<Account | undefined>;
  /**
   * Moves the guest's reservations, payments and transfers to the user. `busy`: both have a payment for the same purchase under
   * way; retry soon.
   */
  takeOver(guest: string, userId: string): Promise<'done' | 'busy'>;

  /** Ends a session before it expires. */
  endSession(sessionId: string, expiresAt: number): Promise<void>;
  /** The ended sessions that have not expired yet. */
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
