/** Operators who have signed in at the identity provider. */
import { formatMoment } from '../../texts/format.ts';
import { fill } from '../../texts/language.ts';
import type { OperatorList } from '../api/wire.ts';
import { type Desk, refusalText } from '../controls/desk.ts';
import { el } from '../controls/dom.ts';
import { section } from '../controls/panel.ts';
import { listTable } from './list-table.ts';
import { type ListPanel, OPERATORS } from './operator-list.ts';

type Person = OperatorList['people'][number];

export function peoplePanel(desk: Desk, reload: () => void): ListPanel {
  const { texts, facts, api, language } = desk;
  const title = fill(texts.people, { name: facts.providerName ?? '' });
  const head = [texts.person, texts.role, texts.personRoleFrom, texts.lastSignIn];
  const table = listTable('people', title, head, texts.operatorsNobody);

  async function endSessions({ id }: Person, name: string): Promise<void> {
    const question = fill(texts.endSessionsQuestion, { name });
    if (!(await desk.confirm({ title: question, body: texts.endSessionsWarning, yes: texts.endSessions }))) return;
    const answer = await api.post(`${OPERATORS}/${id}/end-sessions`);
    desk.say(answer.ok ? texts.done : refusalText(desk, answer), answer.ok ? 'good' : 'bad');
    reload();
  }

  const about = el('p', { className: 'about', textContent: texts.peopleAbout });
  const root = section('people-panel', title, about, table.root);
  root.classList.add('wide');
  return {
    root,
    show({ people }) {
      table.show(
        people.map((person) => {
          const name = person.name.replace(/^oidc:/, '');
          const onclick = () => void endSessions(person, name);
          return [
            name,
            texts[`role_${person.role}`],
            texts[`personBy_${person.by}`],
            formatMoment(person.lastSignInAt, language),
            el('button', { type: 'button', textContent: texts.endSessions, onclick }),
          ];
        }),
      );
    },
  };
}
