/** What whoever would have too many tickets is told. */
import { AppError } from '../../http/errors.ts';

export function toLimitError({ limit, have }: { limit: number; have: number }): AppError {
  return new AppError('LIMIT_PER_PERSON', {
    message: `One person may have ${limit} tickets here; you have ${have}.`,
  });
}
