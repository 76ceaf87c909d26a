/** The fields that requests about accounts share. */
import { Type } from 'typebox';
import { AppError } from '../../http/errors.ts';
import { normaliseEmail } from '../../platform/email.ts';
import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from '../rules/password-rules.ts';

export const Email = Type.String({ minLength: 3, maxLength: 254 });
export const Password = Type.String({ minLength: PASSWORD_MIN_LENGTH, maxLength: PASSWORD_MAX_LENGTH });
/** The secret of a mailed link. */
export const LinkSecret = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'the part of the mailed link after the #',
});

export function requireEmail(text: string): string {
  const email = normaliseEmail(text);
  if (email !== undefined) return email;
  const message = 'email must be an address like name@example.org';
  throw new AppError('INVALID_INPUT', {
    message,
    fields: [{ field: 'email', message, rule: 'format', limit: 'email' }],
  });
}
