/** Completes the sign-in of an account with a code. */
import { SESSION } from '../api/api.ts';
import type { Desk, View } from '../controls/desk.ts';
import { el } from '../controls/dom.ts';
import { createField, type Field, textInput } from '../controls/field.ts';
import { problemOf } from './sign-in-view.ts';

export function codeView(desk: Desk, onDone: () => void): View {
  const { texts, api } = desk;
  const code = codeField(desk);
  const button = el('button', { type: 'submit', className: 'main', textContent: texts.continue });
  const back = el('button', {
    type: 'button',
    textContent: texts.cancel,
    onclick: async () => {
      await api.delete(SESSION);
      onDone();
    },
  });
  const form = el('form', { id: 'enter-code', className: 'card narrow sign-in', noValidate: true });
  form.append(el('h1', { textContent: texts.codeTitle }), code.root, el('div', { className: 'actions' }, button, back));
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    button.disabled = true;
    const answer = await api.post(`${SESSION}/code`, { code: code.input.value.trim() });
    button.disabled = false;
    // 401: it took too long, and signing in begins again.
    if (answer.ok || answer.status === 401) return onDone();
    code.setProblem(problemOf(answer, texts.wrongCode, texts));
    code.input.focus();
  });
  return { title: texts.codeTitle, root: el('div', { className: 'view' }, form) };
}

export function codeField({ texts }: Desk, about = texts.codeAbout): Field {
  const input = textInput('', { maxLength: 40, spellcheck: false, autocomplete: 'one-time-code' });
  return createField({ id: 'code', label: texts.code, about, input });
}
