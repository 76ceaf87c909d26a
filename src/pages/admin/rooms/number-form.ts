/** A form for one number that takes effect at once. */
import type { Answer } from '../api/api.ts';
import { type Desk, refusalText } from '../controls/desk.ts';
import { el } from '../controls/dom.ts';
import { createField } from '../controls/field.ts';

export interface NumberFormOptions {
  id: string;
  label: string;
  about?: string;
  placeholder?: string;
  /** Whether an empty field resets the setting. */
  mayBeEmpty: boolean;
}

export interface NumberForm {
  root: HTMLElement;
  /** Shows the value in force, unless the operator is typing. */
  update(value: number | undefined): void;
}

export function numberForm(
  desk: Desk,
  { id, label, about, placeholder = '', mayBeEmpty }: NumberFormOptions,
  put: (value: number | null) => Promise<Answer<unknown>>,
): NumberForm {
  const { texts, say } = desk;
  const input = el('input', {
    type: 'number',
    min: '0',
    step: 'any',
    inputMode: 'decimal',
    autocomplete: 'off',
    placeholder,
  });
  const field = createField({ id, label, about, input });
  const form = el('form', { className: 'inline', noValidate: true });
  form.append(field.root, el('button', { id: `set-${id}`, type: 'submit', textContent: texts.setLimit }));
  let isTouched = false;
  input.addEventListener('input', () => {
    isTouched = true;
  });
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const text = input.value.trim();
    if (input.validity.badInput || (text === '' && !mayBeEmpty)) return field.setProblem(texts.notANumber);
    const answer = await put(text === '' ? null : Number(text));
    field.setProblem(answer.ok ? undefined : (answer.fields[0]?.message ?? refusalText(desk, answer)));
    if (!answer.ok) return input.focus();
    isTouched = false;
    say(texts.saved);
    desk.refresh();
  });
  return {
    root: form,
    update(value) {
      if (!isTouched && document.activeElement !== input) input.value = value === undefined ? '' : String(value);
    },
  };
}
