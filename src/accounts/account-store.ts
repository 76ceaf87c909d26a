/**
 * The port to accounts. Every verb is one transaction and is safe to repeat. Expected outcomes are values; an unavailable database
 * throws.
 *
 * Deliberately absent: any way to a password hash other than `findToSignIn` and `findHash`.
 */
import type { OperatorRole } from '../identity/roles/operator-roles.ts';

export interface AccountStore {
  /** `taken`: the email already has an account. */
  create(account: NewAccount): Promise<{ outcome: 'created'; account: Account } | { outcome: 'taken' }>;
  /** `email` as returned by normaliseEmail. */
  findToSignIn(email: string): Promise<(Account & { passwordHash: string }) | undefined>;
  findHash(userId: string): Promise<string | undefined>;
  find(userId: string): Promise<Account | undefined>;
  /** undefined as role: no operator. */
  setRole(email: string, role: OperatorRole | undefined): Promise<Account | undefined>;
  /** Also deletes the links to reset it. */
  setPassword(userId: string, passwordHash: string): Promise<void>;
  /**
   * Moves the guest's reservations, payments and transfers to the user. `busy`: both have a payment for the same purchase under
   * way; retry soon.
   */
  takeOver(guest: string, userId: string): Promise<'done' | 'busy'>;

  /** `enough`: the user has as many links of this purpose that still work. */
  createLink(link: NewLink): Promise<'created' | 'enough'>;
  /** The account of a link that still works. */
  findByLink(secretHash: string, purpose: LinkPurpose): Promise<Account | undefined>;
  /** Uses the link: sets the password and confirms the email, to which the link was sent. undefined: the link does not work. */
  resetPassword(secretHash: string, passwordHash: string): Promise<Account | undefined>;
  /** Uses the link. undefined: the link does not work. */
  confirmEmail(secretHash: string): Promise<Account | undefined>;
}

export interface Account {
  userId: string;
  email: string;
  name: string | undefined;
  /** undefined: no operator. */
  operatorRole: OperatorRole | undefined;
  /** Whether the owner has shown that mail to the address reaches them. */
  isEmailConfirmed: boolean;
}

export interface NewAccount {
  email: string;
  name: string | undefined;
  passwordHash: string;
}

export type LinkPurpose = 'reset password' | 'confirm email';

export interface NewLink {
  userId: string;
  purpose: LinkPurpose;
  secretHash: string;
  expiresAt: number;
  /** How many links of this purpose may work at a time. */
  most: number;
}
