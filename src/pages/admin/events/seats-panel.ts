/** The seats and tickets of an event, generated from a layout while it is a draft. */
import { fill } from '../../texts/language.ts';
import type { Answer } from '../api/api.ts';
import { retryUntilOk } from '../api/retry-until-ok.ts';
import type { Layout, ShopEvent } from '../api/wire.ts';
import type { Desk } from '../controls/desk.ts';
import { el, fillWith } from '../controls/dom.ts';
import { createField, select } from '../controls/field.ts';
import { needs } from '../controls/needs.ts';
import { section } from '../controls/panel.ts';
import { stockText } from './events-view.ts';
import { layoutPreview } from './layouts/layout-preview.ts';

export type Change = (work: () => Promise<Answer<ShopEvent>>) => Promise<void>;

export function seatsPanel(desk: Desk, event: ShopEvent, change: Change): HTMLElement {
  const { texts } = desk;
  const stock = el('p', { id: 'stock', textContent: stockText(event, desk) });
  const how =
    event.state === 'draft'
      ? needs('operator', generateForm(desk, event, change))
      : el('p', { className: 'about', textContent: texts.seatsFixed });
  return section('seats', texts.seatsOfEvent, stock, how);
}

function generateForm(desk: Desk, event: ShopEvent, change: Change): HTMLElement {
  const { texts, api } = desk;
  const { eventId } = event;
  const field = createField({ id: 'layout', label: texts.layout, input: select([['', texts.chooseLayout]], '') });
  const preview = el('div');
  const form = el('form', { noValidate: true });
  const button = el('button', { id: 'generate', type: 'submit', textContent: texts.generate });
  form.append(field.root, preview, el('div', { className: 'actions' }, button));
  let layouts: Layout[] = [];

  async function load(): Promise<void> {
    layouts = await retryUntilOk(
      () => api.get<Layout[]>('/api/seats/layouts'),
      form,
      () => {},
    );
    field.input.append(
      ...layouts.map(({ layoutId, name }) => el('option', { value: layoutId, textContent: `${name} (${layoutId})` })),
    );
  }

  field.input.addEventListener('change', () => {
    const chosen = layouts.find(({ layoutId }) => layoutId === field.input.value);
    fillWith(preview, chosen && layoutPreview(chosen, desk));
  });
  form.addEventListener('submit', async (submitted) => {
    submitted.preventDefault();
    const layoutId = field.input.value;
    field.setProblem(layoutId === '' ? texts.required : undefined);
    if (layoutId === '') return;
    const hasSeats = event.seats.total > 0 || event.standing.length > 0;
    const title = fill(texts.generateQuestion, { event: eventId });
    if (hasSeats && !(await desk.confirm({ title, body: texts.generateWarning, yes: texts.generate }))) return;
    await change(() => api.post<ShopEvent>(`/api/admin/events/${eventId}/seats`, { layoutId }));
  });
  void load();
  return form;
}
