/** Sends mails over SMTP. */
import { createTransport } from 'nodemailer';
import type { SendMail } from './mail.ts';

export interface SmtpMailOptions {
  /** smtp://user:password@host:587 (upgraded by STARTTLS where the server offers it) or smtps://… for TLS from the start. */
  url: string;
  /** The sender, such as `Fairline <tickets@example.org>`. */
  from: string;
}

/** A server that does not respond must not occupy the queue for minutes. */
const TIMEOUT_MS = 15_000;

export function createSmtpMail({ url, from }: SmtpMailOptions): SendMail {
  const transport = createTransport({
    url,
    requireTLS: needsTls(url),
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    dnsTimeout: TIMEOUT_MS,
  });
  return async ({ to, subject, text }) => {
    // `to` is an object: as text, a comma in the address would make it a list of recipients.
    const message = { from, to: { name: '', address: to }, subject, text, ...automatic };
    await transport.sendMail({ ...message, disableFileAccess: true, disableUrlAccess: true });
  };
}

/** A password is not sent in the clear, except to a server on this machine. Otherwise TLS is used where the server offers it. */
function needsTls(url: string): boolean {
  const { hostname, password } = new URL(url);
  return password !== '' && !/^(localhost|127\.|\[::1\])/.test(hostname);
}

export const automatic = {
  /** RFC 3834: tells vacation responders not to respond. */
  headers: { 'Auto-Submitted': 'auto-generated' },
  /** Not base64: links in files stay readable, in whatever language the mail is. */
  textEncoding: 'quoted-printable',
} as const;
