/** Signing in: at the identity provider, with an account, or with the operator token or a service key. */
import { fill } from '../../texts/language.ts';
import { type Refusal, SESSION } from '../api/api.ts';
import type { Session } from '../api/wire.ts';
import type { Desk, View } from '../controls/desk.ts';
import { type Child, el } from '../controls/dom.ts';
import { createField } from '../controls/field.ts';
import { providerButton } from './provider-sign-in.ts';

/** `onDone` shows what the new session allows. */
export function signInView(desk: Desk, onDone: () => void, note: string | undefined): View {
  const { texts } = desk;
  const card = el(
    'div',
    { id: 'sign-in', className: 'card narrow sign-in' },
    el('h1', { textContent: texts.signInTitle }),
    ...(note === undefined ? [] : [el('p', { className: 'note', textContent: note })]),
    ...waysIn(desk, onDone),
  );
  return { title: texts.signInTitle, root: el('div', { className: 'view' }, card) };
}

/** With an identity provider the other ways are folded: they are for scripts and emergencies. */
function waysIn(desk: Desk, onDone: () => void): Child[] {
  const { texts, facts } = desk;
  const forms = [tokenForm(desk, onDone), facts.hasShop && accountForm(desk, onDone)];
  if (facts.providerName === undefined) return forms;
  const label = fill(texts.signInAt, { name: facts.providerName });
  const others = el('details', { id: 'other-ways' }, el('summary', { textContent: texts.signInOtherwise }), ...forms);
  return [providerButton(desk, label), others];
}

function tokenForm({ texts, api, facts }: Desk, onDone: () => void): HTMLElement {
  const token = createField({
    id: 'token',
    label: texts.token,
    about: texts.tokenAbout,
    input: el('input', { type: 'password', autocomplete: 'current-password', required: true }),
  });
  const button = el('button', { type: 'submit', className: 'main', textContent: texts.signIn });
  const form = el('form', { id: 'sign-in-token', noValidate: true });
  form.append(
    ...(facts.hasShop || facts.providerName ? [el('h2', { textContent: texts.signInTokenTitle })] : []),
    token.root,
    el('div', { className: 'actions' }, button),
  );
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    button.disabled = true;
    const answer = await api.post(SESSION, { token: token.input.value });
    button.disabled = false;
    if (answer.ok) return onDone();
    token.setProblem(problemOf(answer, texts.wrongToken, texts));
    token.input.focus();
  });
  return form;
}

function accountForm({ texts, api }: Desk, onDone: () => void): HTMLElement {
  const email = createField({
    id: 'email',
    label: texts.email,
    input: el('input', { type: 'email', autocomplete: 'username', required: true }),
  });
  const password = createField({
    id: 'password',
    label: texts.password,
    input: el('input', { type: 'password', autocomplete: 'current-password', required: true }),
  });
  const button = el('button', { type: 'submit', className: 'main', textContent: texts.signIn });
  const form = el('form', { id: 'sign-in-account', noValidate: true });
  form.append(
    el('h2', { textContent: texts.signInAccountTitle }),
    email.root,
    password.root,
    el('div', { className: 'actions' }, button),
  );
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    button.disabled = true;
    const problem = await signIn();
    button.disabled = false;
    if (problem === undefined) return onDone();
    password.setProblem(problem);
    password.input.focus();
  });

  /** undefined: an operator session, complete or not, has begun. */
  async function signIn(): Promise<string | undefined> {
    const answer = await api.post('/api/auth/login', { email: email.input.value, password: password.input.value });
    if (!answer.ok) return problemOf(answer, texts.wrongAccount, texts);
    const session = await api.get<Session>(SESSION);
    if (!session.ok) return problemOf(session, texts.wrongAccount, texts);
    const { signedIn, missing } = session.body;
    return signedIn || missing !== undefined ? undefined : texts.notOperator;
  }
  return form;
}

/** `wrong`: what a refusal means that is neither a limit nor a lost connection. */
export function problemOf(
  { status, retryAfterSeconds }: Refusal,
  wrong: string,
  texts: Pick<Desk['texts'], 'unreachable' | 'tooMany'>,
): string {
  if (status === 0) return texts.unreachable;
  return status === 429 ? fill(texts.tooMany, { seconds: retryAfterSeconds }) : wrong;
}
