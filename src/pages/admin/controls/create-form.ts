/** A form for the id of a new room, event or layout. */
import type { Desk } from './desk.ts';
import { el } from './dom.ts';
import { createField, textInput } from './field.ts';

export interface CreateFormOptions {
  id: string;
  title: string;
  label: string;
  isTaken: (id: string) => boolean;
  /** Called with a valid id that is not taken. */
  onId: (id: string) => void;
}

const ID = /^[A-Za-z0-9_-]{1,64}$/;

export function createForm({ texts }: Desk, { id, title, label, isTaken, onId }: CreateFormOptions): HTMLElement {
  const input = textInput('', { maxLength: 64, spellcheck: false });
  const field = createField({ id, label, about: texts.eventIdAbout, input });
  const form = el('form', { className: 'card narrow', noValidate: true });
  form.append(
    el('h2', { textContent: title }),
    field.root,
    el('div', { className: 'actions' }, el('button', { type: 'submit', textContent: texts.create })),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const wanted = input.value.trim();
    if (!ID.test(wanted)) return field.setProblem(texts.eventIdAbout);
    if (isTaken(wanted)) return field.setProblem(texts.exists);
    onId(wanted);
  });
  return form;
}
