/**
 * The mails about accounts. Everything, the lookup of the account included, happens in the background: the response to a request
 * for a mail is the same, and takes as long, whether or not the account exists.
 */
import type { Mail } from '../platform/mail/mail.ts';
import type { PrepareMail } from '../platform/mail/mail-queue.ts';
import type { Account, AccountStore } from './account-store.ts';
import { type MailKind, type MailLanguage, mailTexts } from './mail-texts.ts';
import type { MailedLinks } from './mailed-links.ts';

export interface AccountMails {
  /** Mails a link to choose a new password, if the email has an account. */
  sendReset(email: string, language: MailLanguage): void;
  sendConfirmation(account: Pick<Account, 'userId' | 'email'>, language: MailLanguage): void;
  tellChanged(email: string, language: MailLanguage): void;
}

export interface AccountMailsOptions {
  queue: { add(prepare: PrepareMail): void };
  store: Pick<AccountStore, 'findToSignIn'>;
  links: MailedLinks;
  /** The name of the site. */
  brandOf: (language: MailLanguage) => string;
  publicUrl: string;
}

export function createAccountMails({ queue, store, links, brandOf, publicUrl }: AccountMailsOptions): AccountMails {
  function write(to: string, kind: MailKind, language: MailLanguage, link: string): Mail {
    const { subject, text } = mailTexts[language][kind];
    const fill = (template: string) => template.replace('{brand}', () => brandOf(language)).replace('{link}', link);
    return { to, subject: fill(subject), text: `${fill(text)}\n` };
  }

  return {
    sendReset(email, language) {
      queue.add(async () => {
        const account = await store.findToSignIn(email);
        const link = account && (await links.create(account.userId, 'reset password'));
        return link === undefined ? undefined : write(email, 'reset', language, link);
      });
    },
    sendConfirmation({ userId, email }, language) {
      queue.add(async () => {
        const link = await links.create(userId, 'confirm email');
        return link === undefined ? undefined : write(email, 'confirm', language, link);
      });
    },
    tellChanged(email, language) {
      queue.add(async () => write(email, 'changed', language, `${publicUrl}/forgot-password`));
    },
  };
}
