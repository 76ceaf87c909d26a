/** The form for all details of an event; changes are reviewed before they are saved. */
import { fill } from '../../texts/language.ts';
import type { ShopEvent } from '../api/wire.ts';
import { type Desk, refusalText } from '../controls/desk.ts';
import { el } from '../controls/dom.ts';
import { showProblems } from '../controls/field.ts';
import { lockUnless, needs } from '../controls/needs.ts';
import { section } from '../controls/panel.ts';
import { createEventFields, type EventChange, type EventFields, eventFieldNames, labelOf } from './event-fields.ts';

export function eventForm(desk: Desk, event: ShopEvent, onSaved: (event: ShopEvent) => void): HTMLElement {
  const { texts } = desk;
  const parts = createEventFields(desk, event, eventFieldNames);
  const form = el('form', { id: 'event-form', className: 'field-grid', noValidate: true });
  const button = el('button', { type: 'submit', className: 'main', textContent: texts.review });
  form.append(...parts.roots, needs('operator', el('div', { className: 'actions' }, button)));
  lockUnless(desk, 'operator', form);

  form.addEventListener('submit', async (submitted) => {
    submitted.preventDefault();
    const change = parts.read();
    if (change === undefined) return desk.say(texts.problems, 'bad');
    if (Object.keys(change).length === 0) return desk.say(texts.unchanged);
    if (!(await desk.confirm(toQuestion()))) return;
    const saved = await saveEvent(desk, event.eventId, change, parts);
    if (saved === undefined) return;
    desk.say(texts.saved);
    onSaved(saved);
  });

  function toQuestion() {
    const rows = parts
      .changes()
      .map(({ name, before, after }) =>
        el(
          'tr',
          {},
          el('th', { scope: 'row', textContent: labelOf(name, texts) }),
          el('td', { textContent: toShown(before) }),
          el('td', {}, el('strong', { textContent: toShown(after) })),
        ),
      );
    return {
      title: fill(texts.reviewTitle, { event: event.eventId }),
      body: el('table', { id: 'changes' }, el('tbody', {}, ...rows)),
      yes: texts.save,
    };
  }
  const toShown = (text: string) => text.replace(/^(\d{4}-\d\d-\d\d)T/, '$1 ') || texts.none;
  return section('details', texts.details, form);
}

/** Saves and shows problems at their fields; undefined if it was refused. */
export async function saveEvent(
  desk: Desk,
  eventId: string,
  change: EventChange,
  { fields }: Pick<EventFields, 'fields'>,
): Promise<ShopEvent | undefined> {
  const answer = await desk.api.put<ShopEvent>(`/api/admin/events/${eventId}`, change);
  const others = showProblems(fields, answer.ok ? [] : answer.fields);
  if (answer.ok) return answer.body;
  desk.say(others[0] ?? (answer.fields.length > 0 ? desk.texts.problems : refusalText(desk, answer)), 'bad');
  return undefined;
}
