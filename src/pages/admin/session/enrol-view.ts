/** Setting up a second factor during sign-in, where it is required. */
import { SESSION } from '../api/api.ts';
import type { Desk, View } from '../controls/desk.ts';
import { el } from '../controls/dom.ts';
import { enrolPanel } from './enrol-panel.ts';

export function enrolView(desk: Desk, onDone: () => void): View {
  const { texts, api } = desk;
  const back = el('button', {
    type: 'button',
    className: 'plain',
    textContent: texts.signOut,
    onclick: async () => {
      await api.delete(SESSION);
      onDone();
    },
  });
  const card = el(
    'div',
    { id: 'enrol', className: 'card narrow sign-in' },
    el('h1', { textContent: texts.codeTitle }),
    el('p', { className: 'note', textContent: texts.factorRequired }),
    enrolPanel(desk, onDone),
    el('div', { className: 'actions' }, back),
  );
  return { title: texts.codeTitle, root: el('div', { className: 'view' }, card) };
}
