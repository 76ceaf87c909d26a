/** The error for a visitor who would exceed the ticket limit. */
import { AppError } from '../../http/errors.ts';

export function toLimitError({ limit, have }: { limit: number; have: number }): AppError {
  return new AppError('LIMIT_PER_PERSON', {
    message: `The limit for this event is ${limit} tickets per person; you have ${have}.`,
  });
}
