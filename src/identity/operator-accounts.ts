/** The port to accounts that may be operators. Looked up with every request of their sessions; operators are few. */
import type { OperatorRole } from './roles/operator-roles.ts';

export interface OperatorAccounts {
  find(email: string): Promise<OperatorAccount | undefined>;
  /** The accounts with a role, by email; at most 1,000. */
  list(): Promise<OperatorAccount[]>;
  /** Ends all operator sessions of the account that started until `at` (in seconds). */
  endSessions(email: string, at: number): Promise<void>;
}

export interface OperatorAccount {
  userId: string;
  email: string;
  /** undefined: no operator. */
  role: OperatorRole | undefined;
  /** Sessions that started until then are over; in seconds. */
  sessionsEndedAt: number;
  /** Whether the account has a confirmed second factor. */
  hasFactor: boolean;
}
