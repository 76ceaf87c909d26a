/** All events of the shop, including drafts: found by words and by phase. */
import { eventPhases } from '../../../shop/rules/event-phase.ts';
import { formatCount } from '../../texts/format.ts';
import { fill } from '../../texts/language.ts';
import { retryUntilOk } from '../api/retry-until-ok.ts';
import type { ShopEvent } from '../api/wire.ts';
import { type Desk, refusalText, type View } from '../controls/desk.ts';
import { el, fillWith, setText } from '../controls/dom.ts';
import { createField, select, textInput } from '../controls/field.ts';
import { needs } from '../controls/needs.ts';
import { phaseBadge, phaseOfEvent } from './event-phase-badge.ts';
import { showAtVenue } from './event-times.ts';

/** Below, everything is in view without a search. */
const SEARCH_FROM = 5;

export function eventsView(desk: Desk): View {
  const { texts, api } = desk;
  const list = el('ul', { id: 'events', className: 'event-list' });
  const note = el('p', { className: 'summary', textContent: texts.loading, attributes: { role: 'status' } });
  const words = createField({
    id: 'find-event',
    label: texts.findEvent,
    input: textInput('', { type: 'search', placeholder: texts.findEventAbout }),
  });
  const phase = createField({ id: 'show-phase', label: texts.showPhase, input: select([['', texts.allPhases]], '') });
  const filters = el('div', { className: 'filters', hidden: true }, words.root, phase.root);
  const empty = el(
    'div',
    { className: 'empty card', hidden: true },
    el('p', { textContent: texts.noEvents }),
    el('p', { textContent: texts.noEventsAbout }),
    needs('operator', newButton()),
  );
  let known: ShopEvent[] = [];

  async function load(): Promise<void> {
    const send = () => api.get<ShopEvent[]>('/api/admin/events');
    known = await retryUntilOk(send, note, (refusal) => setText(note, refusalText(desk, refusal)));
    const used = new Set(known.map((event) => phaseOfEvent(event, desk)));
    phase.input.append(
      ...eventPhases
        .filter((name) => used.has(name))
        .map((name) => el('option', { value: name, textContent: texts[`phase_event_${name}`] })),
    );
    filters.hidden = known.length < SEARCH_FROM;
    empty.hidden = known.length > 0;
    show();
  }

  function show(): void {
    const wanted = words.input.value.trim().toLowerCase();
    const shown = known.filter((event) => {
      const hasWords = [event.title, event.artist, event.venue, event.eventId].join(' ').toLowerCase().includes(wanted);
      return hasWords && (phase.input.value === '' || phaseOfEvent(event, desk) === phase.input.value);
    });
    setText(note, shown.length === 0 && known.length > 0 ? texts.noMatch : '');
    note.hidden = note.textContent === '';
    fillWith(list, ...shown.map((event) => toCard(event, desk)));
  }

  function newButton(): HTMLElement {
    return el('a', { className: 'button main', href: '#/events-new', textContent: texts.newEvent });
  }

  filters.addEventListener('input', show);
  void load();
  const start = needs('operator', newButton());
  start.id = 'new-event';
  return {
    title: texts.events,
    root: el(
      'div',
      { className: 'view' },
      el(
        'div',
        { className: 'row between view-head' },
        el(
          'div',
          {},
          el('h1', { textContent: texts.events }),
          el('p', { className: 'soft', textContent: texts.eventsAbout }),
        ),
        start,
      ),
      filters,
      note,
      empty,
      list,
    ),
  };
}

function toCard(event: ShopEvent, desk: Desk): HTMLElement {
  const { texts } = desk;
  const { eventId, title, venue, startsAt, state } = event;
  const isDraft = state === 'draft';
  const goOn = el('a', {
    className: 'button small',
    href: `#/events/${eventId}/setup`,
    textContent: texts.continueSetup,
    attributes: { 'aria-label': `${texts.continueSetup}: ${title}` },
  });
  return el(
    'li',
    { className: 'card event-card' },
    el(
      'div',
      { className: 'row between' },
      el('h2', {}, el('a', { href: `#/events/${eventId}`, textContent: title })),
      phaseBadge(event, desk),
    ),
    el('p', { textContent: [showAtVenue(startsAt, event, desk), venue].filter(Boolean).join(' · ') }),
    stockMeter(event),
    el(
      'div',
      { className: 'row between' },
      el('p', { className: 'soft', textContent: `${eventId} · ${stockText(event, desk)}` }),
      isDraft && needs('operator', goOn),
    ),
  );
}

/** How much is gone, as a bar; the text beside it says the same. */
function stockMeter(event: ShopEvent): HTMLElement | false {
  const { total, remaining } = stockOf(event);
  if (total === 0 || event.state === 'draft') return false;
  return el('progress', {
    className: 'stock-meter',
    max: total,
    value: total - remaining,
    attributes: { 'aria-hidden': 'true' },
  });
}

export function stockOf({ seats, standing }: ShopEvent): { total: number; remaining: number } {
  const sum = (field: 'total' | 'remaining') => standing.reduce((all, one) => all + one[field], seats[field]);
  return { total: sum('total'), remaining: sum('remaining') };
}

export function stockText(event: ShopEvent, { texts, language }: Pick<Desk, 'texts' | 'language'>): string {
  const { total, remaining } = stockOf(event);
  if (total === 0) return texts.seatsNone;
  return fill(texts.seatsCount, {
    remaining: formatCount(remaining, language),
    total: formatCount(total, language),
  });
}
