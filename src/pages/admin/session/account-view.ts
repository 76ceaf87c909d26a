/** The account of the operator: its second factor, and help for another operator who lost theirs. */
import { fill } from '../../texts/language.ts';
import type { SecondFactor } from '../api/wire.ts';
import { type Desk, refusalText, type View } from '../controls/desk.ts';
import { el, fillWith } from '../controls/dom.ts';
import { createField } from '../controls/field.ts';
import { needs } from '../controls/needs.ts';
import { section } from '../controls/panel.ts';
import { codeField } from './code-view.ts';
import { enrolPanel, FACTOR } from './enrol-panel.ts';
import { problemOf } from './sign-in-view.ts';

export function accountView(desk: Desk): View {
  const { texts } = desk;
  const email = desk.account();
  const root = el(
    'div',
    { className: 'view account' },
    el('h1', { textContent: texts.account }),
    email !== undefined && el('p', { className: 'about', textContent: fill(texts.accountOf, { email }) }),
    factorPanel(desk),
    needs('admin', resetPanel(desk)),
  );
  return { title: texts.account, root };
}

function factorPanel(desk: Desk): HTMLElement {
  const { texts, api } = desk;
  const content = el('div', {}, el('p', { className: 'about', textContent: texts.loading }));
  const root = section('factor', texts.factor, content);

  async function load(): Promise<void> {
    const answer = await api.get<SecondFactor>(FACTOR);
    if (answer.ok) fillWith(content, ...show(answer.body));
    else if (answer.code === 'ACCOUNT_SESSION_REQUIRED')
      fillWith(content, el('p', { className: 'about', textContent: texts.factorNeedsAccount }));
    else fillWith(content, el('p', { className: 'problem', textContent: refusalText(desk, answer) }));
  }

  function show({ enrolled, recoveryCodesLeft }: SecondFactor): HTMLElement[] {
    const state = enrolled ? fill(texts.factorOn, { count: recoveryCodesLeft }) : texts.factorOff;
    const about = el('p', { id: 'factor-state', textContent: state });
    if (enrolled) return [about, removeForm(desk, load)];
    const setUp = el('button', {
      id: 'set-up-factor',
      type: 'button',
      className: 'main',
      textContent: texts.factorSetUp,
      onclick: () => fillWith(content, enrolPanel(desk, finish)),
    });
    return [about, el('div', { className: 'actions' }, setUp)];
  }

  function finish(): void {
    desk.say(texts.factorDone);
    void load();
  }
  void load();
  return root;
}

function removeForm(desk: Desk, onDone: () => void): HTMLElement {
  const { texts, api } = desk;
  const code = codeField(desk);
  const form = el('form', { id: 'remove-factor', className: 'narrow', noValidate: true });
  const button = el('button', { type: 'submit', className: 'danger', textContent: texts.factorRemove });
  form.append(code.root, el('div', { className: 'actions' }, button));
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const answer = await api.post(`${FACTOR}/remove`, { code: code.input.value.trim() });
    if (!answer.ok) return code.setProblem(problemOf(answer, texts.wrongCode, texts));
    desk.say(texts.factorRemoved);
    onDone();
  });
  return form;
}

function resetPanel(desk: Desk): HTMLElement {
  const { texts, api } = desk;
  const email = createField({
    id: 'reset-email',
    label: texts.email,
    about: texts.factorResetAbout,
    input: el('input', { type: 'email', autocomplete: 'off', required: true }),
  });
  const form = el('form', { id: 'reset-factor', className: 'narrow', noValidate: true });
  const button = el('button', { type: 'submit', textContent: texts.reset });
  form.append(email.root, el('div', { className: 'actions' }, button));
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const who = email.input.value.trim();
    const title = fill(texts.factorResetQuestion, { email: who });
    const question = { title, body: texts.factorResetWarning, yes: texts.reset, isDangerous: true };
    if (!(await desk.confirm(question))) return;
    const answer = await api.post('/api/admin/accounts/second-factor/reset', { email: who });
    email.setProblem(answer.ok ? undefined : refusalText(desk, answer));
    if (answer.ok) desk.say(texts.done);
  });
  return section('factor-reset', texts.factorReset, form);
}
