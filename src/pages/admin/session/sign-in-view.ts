/** The sign-in form. */
import { fill } from '../../texts/language.ts';
import { SESSION } from '../api/api.ts';
import type { Desk, View } from '../controls/desk.ts';
import { el } from '../controls/dom.ts';
import { createField } from '../controls/field.ts';

export function signInView(desk: Desk, onSignedIn: () => void, note: string | undefined): View {
  const { texts, api } = desk;
  const token = createField({
    id: 'token',
    label: texts.token,
    about: texts.tokenAbout,
    input: el('input', { type: 'password', autocomplete: 'current-password', required: true }),
  });
  const button = el('button', { type: 'submit', className: 'main', textContent: texts.signIn });
  const form = el('form', { id: 'sign-in', className: 'card narrow sign-in', noValidate: true });
  form.append(
    el('h1', { textContent: texts.signInTitle }),
    ...(note === undefined ? [] : [el('p', { className: 'note', textContent: note })]),
    token.root,
    el('div', { className: 'actions' }, button),
  );
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    button.disabled = true;
    const answer = await api.post(SESSION, { token: token.input.value });
    button.disabled = false;
    if (answer.ok) return onSignedIn();
    token.setProblem(problemOf(answer.status, answer.retryAfterSeconds));
    token.input.focus();
  });

  function problemOf(status: number, seconds: number): string {
    if (status === 0) return texts.unreachable;
    return status === 429 ? fill(texts.tooMany, { seconds }) : texts.wrongToken;
  }
  return { title: texts.signInTitle, root: el('div', { className: 'view' }, form) };
}
