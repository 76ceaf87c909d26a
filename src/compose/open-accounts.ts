/** Builds the account services on the shop's database. */
import type { AccountStore } from '../accounts/account-store.ts';
import { type Accounts, createAccounts } from '../accounts/accounts.ts';
import { createPasswords } from '../accounts/passwords.ts';
import { PostgresAccountStore } from '../accounts/postgres/postgres-account-store.ts';
import { createUserSessions, type UserSessions } from '../accounts/user-sessions.ts';
import { takeOverPayments } from '../payments/postgres/take-over-payments.ts';
import type { Clock } from '../platform/clock.ts';
import type { LazyDatabase } from '../platform/database/lazy-database.ts';
import { takeOverReservations } from '../shop/postgres/reservation-changes.ts';
import { takeOverTransfers } from '../transfers/postgres/transfer-statements.ts';

export interface AccountServices {
  accounts: Accounts;
  accountStore: AccountStore;
  sessions: UserSessions;
}

export interface AccountServicesOptions {
  database: LazyDatabase;
  authSecret: string;
  sessionHours: number;
  clock: Clock;
}

export function createAccountServices(options: AccountServicesOptions): AccountServices {
  const { database, authSecret, sessionHours, clock } = options;
  const takeOver = [takeOverPayments, takeOverReservations, takeOverTransfers];
  const accountStore = new PostgresAccountStore({ database, clock, takeOver });
  return {
    accounts: createAccounts(accountStore, createPasswords()),
    accountStore,
    sessions: createUserSessions({ secret: authSecret, hours: sessionHours, store: accountStore, clock }),
  };
}
