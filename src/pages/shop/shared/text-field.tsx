/** A labelled field with its hint and its problem, in the language of the page: forms have `novalidate`. */
import type { ComponentChildren } from 'preact';

export interface TextFieldProps {
  name: string;
  label: string;
  type?: 'text' | 'email' | 'tel' | 'password';
  /** For password managers and autofill (HTML, autofill detail tokens). */
  autocomplete: string;
  defaultValue?: string;
  maxLength?: number;
  hint?: ComponentChildren;
  problem?: string | undefined;
}

export function TextField({ name, label, type = 'text', problem, hint, ...rest }: TextFieldProps) {
  const id = `field-${name}`;
  const described = [problem === undefined ? '' : `${id}-problem`, hint === undefined ? '' : `${id}-hint`];
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        name={name}
        // The types of the attributes differ by the type of the field.
        type={type as 'text'}
        required
        aria-invalid={problem === undefined ? undefined : 'true'}
        aria-describedby={described.filter(Boolean).join(' ') || undefined}
        {...rest}
      />
      {problem !== undefined && (
        <span class="problem" id={`${id}-problem`}>
          {problem}
        </span>
      )}
      {hint !== undefined && (
        <span class="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
    </div>
  );
}
