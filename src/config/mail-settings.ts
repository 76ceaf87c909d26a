/** Settings of mail: the server, the sender, and the address of this site in links. */
import { text, type Values } from '../platform/settings/settings.ts';

export const mailSettings = {
  MAIL_URL: text({
    default: undefined,
    defaultText: 'none: mails are written to DATA_DIR/mail',
    pattern: /^smtps?:\/\/[^\s/]+\/?(\?\S*)?$/,
    allowed: 'smtp://user:password@host:587, or smtps://user:password@host:465 for TLS from the start',
    about: 'Mail server for account mails: confirm the email, reset the password.',
    secret: true,
  }),
  MAIL_FROM: text({
    default: undefined,
    pattern: /^[^\r\n]*[^\s@<>]+@[^\s@<>]+>?$/,
    allowed: 'an address like tickets@example.org or Tickets <tickets@example.org>',
    about: 'Sender of mails. Required with MAIL_URL.',
  }),
  PUBLIC_URL: text({
    default: undefined,
    defaultText: 'http://localhost with PORT',
    pattern: /^https?:\/\/[A-Za-z0-9.:[\]_-]+$/,
    allowed: 'an http or https origin without a path, such as https://tickets.example.org',
    about:
      'Origin of this site in the links of mails. Required with MAIL_URL. The Host header is not used for them, because ' +
      'the caller chooses it.',
  }),
};

export interface MailConfig {
  /** undefined: mails are written to files. */
  url: string | undefined;
  from: string;
  /** The origin of links. */
  publicUrl: string;
}

type MailValues = Values<typeof mailSettings>;

export function toMailConfig(values: MailValues & { PORT: number }): MailConfig {
  return {
    url: values.MAIL_URL,
    from: values.MAIL_FROM ?? 'Fairline <fairline@localhost>',
    publicUrl: values.PUBLIC_URL ?? `http://localhost:${values.PORT}`,
  };
}

export function findMailProblems({ MAIL_URL, MAIL_FROM, PUBLIC_URL }: MailValues): string[] {
  if (MAIL_URL === undefined) return [];
  const problems: string[] = [];
  if (MAIL_FROM === undefined) problems.push('MAIL_URL: requires MAIL_FROM, the sender of mails');
  if (PUBLIC_URL === undefined) problems.push('MAIL_URL: requires PUBLIC_URL, the origin of the links in mails');
  return problems;
}
