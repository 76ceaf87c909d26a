/** The port to mail: one function. It resolves when the mail is accepted for delivery, and throws otherwise. */
export type SendMail = (mail: Mail) => Promise<void>;

export interface Mail {
  /** One address. Never parsed as a list. */
  to: string;
  subject: string;
  /** Plain text. */
  text: string;
}
