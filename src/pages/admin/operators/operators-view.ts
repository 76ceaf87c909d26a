/** Who is an operator with which role, and the service keys; for admins. */
import { retryUntilOk } from '../api/retry-until-ok.ts';
import type { OperatorList } from '../api/wire.ts';
import { type Desk, refusalText, type View } from '../controls/desk.ts';
import { el, setText } from '../controls/dom.ts';
import { accountsPanel } from './accounts-panel.ts';
import { invitationsPanel } from './invitations-panel.ts';
import { keysPanel } from './keys-panel.ts';
import { type ListPanel, OPERATORS } from './operator-list.ts';
import { peoplePanel } from './people-panel.ts';

export function operatorsView(desk: Desk): View {
  const { texts, facts, api } = desk;
  const note = el('p', { className: 'problem', hidden: true });
  const reload = () => void load();
  const panels: ListPanel[] = [
    ...(facts.providerName === undefined ? [] : [peoplePanel(desk, reload), invitationsPanel(desk, reload)]),
    ...(facts.hasShop ? [accountsPanel(desk, reload)] : []),
  ];
  const root = el(
    'div',
    { className: 'view operators' },
    el('h1', { textContent: texts.operators }),
    el('p', { className: 'about', textContent: texts.rolesAbout }),
    note,
    el('div', { className: 'panels' }, ...panels.map((panel) => panel.root), keysPanel(desk)),
  );

  async function load(): Promise<void> {
    const list = await retryUntilOk(
      () => api.get<OperatorList>(OPERATORS),
      root,
      (refusal) => {
        note.hidden = false;
        setText(note, refusalText(desk, refusal));
      },
    );
    note.hidden = true;
    for (const panel of panels) panel.show(list);
  }
  void load();
  return { title: texts.operators, root };
}
