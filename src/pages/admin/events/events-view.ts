/** All events of the shop, including drafts. */
import { formatCount, formatTime } from '../../texts/format.ts';
import { fill } from '../../texts/language.ts';
import { retryUntilOk } from '../api/retry-until-ok.ts';
import type { ShopEvent } from '../api/wire.ts';
import { createForm } from '../controls/create-form.ts';
import { type Desk, refusalText, type View } from '../controls/desk.ts';
import { el, fillWith, setText } from '../controls/dom.ts';
import { needs } from '../controls/needs.ts';

export function eventsView(desk: Desk): View {
  const { texts, api } = desk;
  const list = el('ul', { id: 'events', className: 'cards' });
  const note = el('p', { className: 'summary', textContent: texts.loading });
  let known: ShopEvent[] = [];

  async function load(): Promise<void> {
    const send = () => api.get<ShopEvent[]>('/api/admin/events');
    known = await retryUntilOk(send, note, (refusal) => setText(note, refusalText(desk, refusal)));
    note.textContent = texts.noEvents;
    note.hidden = known.length > 0;
    fillWith(list, ...known.map((event) => toCard(event, desk)));
  }

  const form = createForm(desk, {
    id: 'new-event',
    title: texts.newEvent,
    label: texts.eventId,
    isTaken: (id) => known.some(({ eventId }) => eventId === id),
    onId(id) {
      location.hash = `#/events/${id}`;
    },
  });
  void load();
  return {
    title: texts.events,
    root: el(
      'div',
      { className: 'view' },
      el('h1', { textContent: texts.events }),
      note,
      list,
      needs('operator', form),
    ),
  };
}

function toCard(event: ShopEvent, { texts, language }: Desk): HTMLElement {
  const { eventId, title, venue, startsAt, state } = event;
  return el(
    'li',
    { className: 'card' },
    el('h2', {}, el('a', { href: `#/events/${eventId}`, textContent: title }), ' ', stateBadge(state, { texts })),
    el('p', { textContent: [formatTime(startsAt, language), venue].filter(Boolean).join(' · ') }),
    el('p', { className: 'about', textContent: `${eventId} · ${stockText(event, { texts, language })}` }),
  );
}

export function stateBadge(state: ShopEvent['state'], { texts }: Pick<Desk, 'texts'>): HTMLElement {
  return el('span', { className: `badge ${state}`, textContent: texts[`state_${state}`] });
}

export function stockText(
  { seats, standing }: ShopEvent,
  { texts, language }: Pick<Desk, 'texts' | 'language'>,
): string {
  const sum = (field: 'total' | 'remaining') => standing.reduce((total, one) => total + one[field], seats[field]);
  if (sum('total') === 0) return texts.seatsNone;
  const [remaining, total] = [formatCount(sum('remaining'), language), formatCount(sum('total'), language)];
  return fill(texts.seatsCount, { remaining, total });
}
