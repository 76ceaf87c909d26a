/** Metrics of accounts. */
import { Counter, type Registry } from 'prom-client';
import type { MailOutcome } from '../platform/mail/mail-queue.ts';

export interface AccountMetrics {
  countAttempt(outcome: AttemptOutcome): void;
  countMail(outcome: MailOutcome): void;
}

export type AttemptOutcome = 'right' | 'wrong' | 'limited' | 'busy';

export function createAccountMetrics(registry: Registry): AccountMetrics {
  const attempts = new Counter({
    name: 'fairline_password_attempts_total',
    help: 'Passwords that visitors tried, by outcome; limited: had to wait; busy: too many at the moment',
    labelNames: ['outcome'],
    registers: [registry],
  });
  const mails = new Counter({
    name: 'fairline_mails_total',
    help: 'Mails about accounts, by outcome; dropped: the queue was full; failed: not accepted by the mail server',
    labelNames: ['outcome'],
    registers: [registry],
  });
  return {
    countAttempt: (outcome) => attempts.inc({ outcome }),
    countMail: (outcome) => mails.inc({ outcome }),
  };
}
