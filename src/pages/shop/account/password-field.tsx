/** A password field. */
export interface PasswordFieldProps {
  label: string;
  name: string;
  /** A password to be chosen, for password managers. */
  isNew?: boolean;
}

export function PasswordField({ label, name, isNew = false }: PasswordFieldProps) {
  return (
    <label>
      {label}
      <input
        type="password"
        name={name}
        autocomplete={isNew ? 'new-password' : 'current-password'}
        required
        minLength={8}
        maxLength={128}
      />
    </label>
  );
}
