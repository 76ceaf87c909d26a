/** The form for the details of an event. */
import type { AdminTexts } from '../../texts/en.ts';
import { fill } from '../../texts/language.ts';
import type { ShopEvent } from '../api/wire.ts';
import { type Desk, refusalText } from '../controls/desk.ts';
import { el } from '../controls/dom.ts';
import { createField, type Field, showProblems, textInput } from '../controls/field.ts';
import { toLocalText } from '../controls/local-time.ts';
import { lockUnless, needs } from '../controls/needs.ts';
import { section } from '../controls/panel.ts';

type Values = Record<string, string | number | null>;

const names = [
  'title',
  'artist',
  'venue',
  'startsAt',
  'onSaleAt',
  'description',
  'imageUrl',
  'currency',
  'maxPerPerson',
] as const;
type Name = (typeof names)[number];
const TIMES: readonly Name[] = ['startsAt', 'onSaleAt'];
/** Empty means that there is none. */
const OPTIONAL: readonly Name[] = ['onSaleAt', 'imageUrl'];
/** All other fields have a default. */
const REQUIRED: readonly Name[] = ['title', 'startsAt'];

export function eventForm(
  desk: Desk,
  eventId: string,
  event: ShopEvent | undefined,
  onSaved: (event: ShopEvent) => void,
): HTMLElement {
  const { texts } = desk;
  const before = textsOf(event);
  const fields = new Map(names.map((name) => [name as string, fieldOf(name, before[name], desk)]));
  const textOf = (name: Name) => fields.get(name)!.input.value.trim();
  const form = el('form', { id: 'event-form', noValidate: true });
  const button = el('button', {
    type: 'submit',
    className: 'main',
    textContent: event === undefined ? texts.create : texts.review,
  });
  form.append(
    ...[...fields.values()].map(({ root }) => root),
    needs('operator', el('div', { className: 'actions' }, button)),
  );
  lockUnless(desk, 'operator', form);

  form.addEventListener('submit', async (submitted) => {
    submitted.preventDefault();
    const missing = REQUIRED.filter((name) => textOf(name) === '');
    showProblems(
      fields,
      missing.map((field) => ({ field, message: texts.required })),
    );
    if (missing.length > 0) return desk.say(texts.problems, 'bad');
    const changed = names.filter((name) => textOf(name) !== before[name]);
    if (changed.length === 0) return desk.say(texts.unchanged);
    if (event !== undefined && !(await desk.confirm(toQuestion(changed)))) return;
    await save(Object.fromEntries(changed.map((name) => [name, toValue(name, textOf(name))])));
  });

  async function save(change: Values): Promise<void> {
    const answer = await desk.api.put<ShopEvent>(`/api/admin/events/${eventId}`, change);
    const others = showProblems(fields, answer.ok ? [] : answer.fields);
    if (!answer.ok)
      return desk.say(others[0] ?? (answer.fields.length > 0 ? texts.problems : refusalText(desk, answer)), 'bad');
    desk.say(texts.saved);
    onSaved(answer.body);
  }

  function toQuestion(changed: readonly Name[]) {
    const rows = changed.map((name) =>
      el(
        'tr',
        {},
        el('th', { scope: 'row', textContent: labelOf(name, texts) }),
        el('td', { textContent: before[name] || texts.none }),
        el('td', {}, el('strong', { textContent: textOf(name) || texts.none })),
      ),
    );
    return {
      title: fill(texts.reviewTitle, { event: eventId }),
      body: el('table', { id: 'changes' }, el('tbody', {}, ...rows)),
      yes: texts.save,
    };
  }
  return section('details', texts.details, form);
}

function textsOf(event: ShopEvent | undefined): Record<Name, string> {
  const { title = '', artist = '', venue = '', description = '', currency = '' } = event ?? {};
  const startsAt = event === undefined ? '' : toLocalText(event.startsAt);
  const onSaleAt = event?.onSaleAt ? toLocalText(event.onSaleAt) : '';
  const maxPerPerson = String(event?.maxPerPerson ?? '');
  const imageUrl = event?.imageUrl ?? '';
  return { title, artist, venue, startsAt, onSaleAt, description, imageUrl, currency, maxPerPerson };
}

function fieldOf(name: Name, value: string, { texts }: Desk): Field {
  const about = texts[`${name}About` as keyof AdminTexts] as string | undefined;
  return createField({ id: `event-${name}`, label: labelOf(name, texts), about, input: inputOf(name, value) });
}

function labelOf(name: Name, texts: AdminTexts): string {
  return name === 'title' ? texts.eventTitle : texts[name];
}

function inputOf(name: Name, value: string) {
  if (name === 'description') return el('textarea', { rows: 4, maxLength: 4_000, value });
  if (TIMES.includes(name)) return textInput(value, { type: 'datetime-local', step: '1' });
  if (name === 'maxPerPerson') return textInput(value, { inputMode: 'numeric' });
  return textInput(value, { maxLength: name === 'currency' ? 3 : 500 });
}

function toValue(name: Name, text: string): string | number | null {
  if (OPTIONAL.includes(name) && text === '') return null;
  if (TIMES.includes(name)) return new Date(text).toISOString();
  return name === 'maxPerPerson' ? Number(text) : text;
}
