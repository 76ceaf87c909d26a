/** A password field. */
import type { ComponentChildren } from 'preact';
import { TextField } from '../shared/text-field.tsx';

export interface PasswordFieldProps {
  label: string;
  name: string;
  /** A password to be chosen, for password managers. */
  isNew?: boolean;
  hint?: ComponentChildren;
  problem?: string | undefined;
}

export function PasswordField({ isNew = false, ...rest }: PasswordFieldProps) {
  return (
    <TextField type="password" autocomplete={isNew ? 'new-password' : 'current-password'} maxLength={128} {...rest} />
  );
}
