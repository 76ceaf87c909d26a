/** A form field: label, input, help text and problem. */
import { el, setText } from './dom.ts';

export type Input = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

export interface Field {
  root: HTMLElement;
  input: Input;
  /** Shows a problem; undefined clears it. */
  setProblem(problem: string | undefined): void;
}

export interface FieldOptions {
  id: string;
  label: string;
  about?: string | undefined;
  input: Input;
}

export function createField({ id, label, about, input }: FieldOptions): Field {
  const problem = el('p', { id: `${id}-problem`, className: 'problem', hidden: true });
  const aboutText = el('p', { id: `${id}-about`, className: 'about', textContent: about ?? '', hidden: !about });
  input.id = id;
  input.setAttribute('aria-describedby', `${about ? `${aboutText.id} ` : ''}${problem.id}`);
  return {
    root: el(
      'div',
      { className: 'field' },
      el('label', { htmlFor: id, textContent: label }),
      input,
      problem,
      aboutText,
    ),
    input,
    setProblem(text) {
      problem.hidden = text === undefined;
      setText(problem, text ?? '');
      input.setAttribute('aria-invalid', String(text !== undefined));
    },
  };
}

/** Shows each problem at its field and focuses the first; returns those that belong to no field. */
export function showProblems(
  fields: ReadonlyMap<string, Field>,
  problems: readonly { field: string; message: string }[],
): string[] {
  for (const [name, field] of fields) field.setProblem(problems.find((problem) => problem.field === name)?.message);
  const first = problems.map(({ field }) => fields.get(field)).find((field) => field !== undefined);
  first?.input.focus();
  return problems.filter(({ field }) => !fields.has(field)).map(({ message }) => message);
}

export function textInput(value: string, options: Partial<HTMLInputElement> = {}): HTMLInputElement {
  return el('input', { type: 'text', autocomplete: 'off', ...(options as object), value });
}

export function select(options: readonly [value: string, label: string][], value: string): HTMLSelectElement {
  const input = el('select', {}, ...options.map(([key, label]) => el('option', { value: key, textContent: label })));
  input.value = value;
  return input;
}
