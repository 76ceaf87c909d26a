/** Tier 1 of a room: activate, deactivate, advance. */

import type { AdminTexts } from '../../texts/en.ts';
import { formatCount } from '../../texts/format.ts';
import { fill } from '../../texts/language.ts';
import type { Numbering } from '../api/wire.ts';
import { type Desk, refusalText } from '../controls/desk.ts';
import { el } from '../controls/dom.ts';
import { createField } from '../controls/field.ts';
import { needs } from '../controls/needs.ts';
import { factList, type Panel, section } from '../controls/panel.ts';

export function tier1Panel(desk: Desk, eventId: string): Panel {
  const { texts, api, language } = desk;
  const facts = factList([texts.tier1State, texts.tier1Given, texts.tier1Serving, texts.tier1Waiting]);
  const activate = el('button', { id: 'activate', type: 'button', textContent: texts.activate });
  const deactivate = el('button', { id: 'deactivate', type: 'button', textContent: texts.deactivate });
  activate.addEventListener('click', () => carryOut('activate', texts.activateQuestion, texts.activateWarning));
  deactivate.addEventListener('click', () => carryOut('deactivate', texts.deactivateQuestion, texts.deactivateWarning));

  async function carryOut(what: 'activate' | 'deactivate', question: string, warning: string): Promise<void> {
    const title = fill(question, { event: eventId });
    if (!(await desk.confirm({ title, body: warning, yes: texts[what] }))) return;
    const answer = await api.post(`/api/admin/vwr/${what}/${eventId}`);
    desk.say(answer.ok ? texts.done : refusalText(desk, answer), answer.ok ? 'good' : 'bad');
    desk.refresh();
  }

  const advance = advanceForm(desk, eventId);
  return {
    root: section(
      'tier1',
      texts.tier1,
      el('p', { className: 'about', textContent: texts.tier1About }),
      facts.root,
      needs('operator', advance),
      needs('operator', el('div', { className: 'actions' }, activate, deactivate)),
    ),
    update({ tier1 }) {
      const count = (name: keyof Numbering) =>
        tier1 === null ? texts.unknown : formatCount(Number(tier1[name]), language);
      facts.set(texts.tier1State, tier1 === null ? texts.tier1Off : texts[`tier1_${tier1.state}` as keyof AdminTexts]);
      facts.set(texts.tier1Given, count('nextPosition'));
      facts.set(texts.tier1Serving, count('servingCounter'));
      facts.set(texts.tier1Waiting, count('waitingCount'));
      activate.hidden = tier1 !== null;
      deactivate.hidden = tier1 === null;
      advance.hidden = tier1?.state !== 'active';
    },
  };
}

function advanceForm(desk: Desk, eventId: string): HTMLElement {
  const { texts, api, say, language } = desk;
  const input = el('input', { type: 'number', min: '1', value: '100', inputMode: 'numeric', autocomplete: 'off' });
  const field = createField({ id: 'advance-by', label: texts.advanceBy, input });
  const form = el('form', { className: 'inline', noValidate: true, hidden: true });
  form.append(field.root, el('button', { id: 'advance', type: 'submit', textContent: texts.advance }));
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const answer = await api.post<Numbering>(`/api/admin/vwr/advance/${eventId}`, { batchSize: Number(input.value) });
    field.setProblem(answer.ok ? undefined : (answer.fields[0]?.message ?? refusalText(desk, answer)));
    if (!answer.ok) return;
    say(fill(texts.advanced, { number: formatCount(answer.body.servingCounter, language) }));
    desk.refresh();
  });
  return form;
}
