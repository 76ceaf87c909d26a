/** Accounts, on the shop's database. */
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { type AccountMails, createAccountMails } from '../accounts/account-mails.ts';
import { type AccountMetrics, createAccountMetrics } from '../accounts/account-metrics.ts';
import type { AccountStore } from '../accounts/account-store.ts';
import { type Accounts, createAccounts } from '../accounts/accounts.ts';
import { createKnownBrowsers, type KnownBrowsers } from '../accounts/known-browsers.ts';
import { createMailedLinks } from '../accounts/mailed-links.ts';
import { createPasswords } from '../accounts/passwords.ts';
import { PostgresAccountStore } from '../accounts/postgres/postgres-account-store.ts';
import { PostgresSessionStore } from '../accounts/postgres/postgres-session-store.ts';
import { createUserSessions, type UserSessions } from '../accounts/user-sessions.ts';
import type { Config } from '../config/config.ts';
import type { MailConfig } from '../config/mail-settings.ts';
import type { Theme } from '../pages/design/theme.ts';
import { catalogues } from '../pages/texts/catalogues.ts';
import { takeOverPayments } from '../payments/postgres/take-over-payments.ts';
import type { Clock } from '../platform/clock.ts';
import type { LazyDatabase } from '../platform/database/lazy-database.ts';
import type { SendMail } from '../platform/mail/mail.ts';
import { MailQueue } from '../platform/mail/mail-queue.ts';
import { takeOverReservations } from '../shop/postgres/reservation-changes.ts';
import { createKeyRing, type KeyRing } from '../signing-keys/key-ring.ts';
import { takeOverTransfers } from '../transfers/postgres/transfer-statements.ts';

export interface AccountServices {
  accounts: Accounts;
  accountStore: AccountStore;
  sessions: UserSessions;
  knownBrowsers: KnownBrowsers;
  mails: AccountMails;
  metrics: AccountMetrics;
  mailQueue: MailQueue;
}

export interface AccountServicesOptions {
  config: Pick<Config, 'accounts' | 'mail' | 'dataDir'>;
  database: LazyDatabase;
  authSecrets: KeyRing;
  theme: Theme;
  registry: Registry;
  clock: Clock;
  log: Logger;
}

export function createAccountServices(options: AccountServicesOptions): AccountServices {
  const { config, database, authSecrets, theme, registry, clock, log } = options;
  const { publicUrl } = config.mail;
  const metrics = createAccountMetrics(registry);
  const accountStore = createAccountStore(database, clock);
  const send = createSendMail(config.mail, join(config.dataDir, 'mail'), log);
  const mailQueue = new MailQueue({ send, onOutcome: metrics.countMail, log });
  return {
    accounts: createAccounts(accountStore, createPasswords()),
    accountStore,
    sessions: createUserSessions({
      secret: authSecrets[0],
      hours: config.accounts.sessionHours,
      store: new PostgresSessionStore({ database, clock }),
      clock,
    }),
    knownBrowsers: createKnownBrowsers({ keys: createKeyRing('knownBrowser', authSecrets), clock }),
    mails: createAccountMails({
      queue: mailQueue,
      store: accountStore,
      links: createMailedLinks({ store: accountStore, publicUrl, clock }),
      brandOf: (language) => theme.texts[language]['common.brand'] ?? catalogues[language].common.brand,
      publicUrl,
    }),
    metrics,
    mailQueue,
  };
}

export function createAccountStore(database: LazyDatabase, clock: Clock): AccountStore {
  // In the order in which every transaction locks these tables.
  const takeOver = [takeOverPayments, takeOverReservations, takeOverTransfers];
  return new PostgresAccountStore({ database, clock, takeOver });
}

/** Loads the mail library with the first mail: many processes never send one. */
function createSendMail({ url, from }: MailConfig, dir: string, log: Logger): SendMail {
  let loading: Promise<SendMail> | undefined;
  const load = async () =>
    url === undefined
      ? (await import('../platform/mail/file-mail.ts')).createFileMail({ dir, from, log })
      : (await import('../platform/mail/smtp-mail.ts')).createSmtpMail({ url, from });
  return async (mail) => {
    loading ??= load();
    return (await loading)(mail);
  };
}
