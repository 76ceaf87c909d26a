/** One event: details, seats, publishing. */
import type { Answer } from '../api/api.ts';
import { retryUntilOk } from '../api/retry-until-ok.ts';
import type { ShopEvent } from '../api/wire.ts';
import { type Desk, refusalText, type View } from '../controls/desk.ts';
import { el, fillWith } from '../controls/dom.ts';
import { needs } from '../controls/needs.ts';
import { eventForm } from './event-form.ts';
import { phaseBadge } from './event-phase-badge.ts';
import { publishPanel } from './publish-panel.ts';
import { seatsPanel } from './seats-panel.ts';

export function eventView(desk: Desk, eventId: string): View {
  const { texts, api } = desk;
  const root = el('div', { className: 'view' }, el('p', { textContent: texts.loading }));

  async function load(): Promise<void> {
    const send = () => api.get<ShopEvent[]>('/api/admin/events');
    const events = await retryUntilOk(send, root, (refusal) =>
      fillWith(root, el('p', { className: 'note', textContent: refusalText(desk, refusal) })),
    );
    const event = events.find((one) => one.eventId === eventId);
    if (event === undefined) return fillWith(root, el('h1', { textContent: texts.nothingHere }));
    show(event);
  }

  /** Runs a change, reports its result and shows the changed event. */
  async function change(work: () => Promise<Answer<ShopEvent>>): Promise<void> {
    const answer = await work();
    if (!answer.ok) return desk.say(refusalText(desk, answer), 'bad');
    desk.say(texts.done);
    show(answer.body);
  }

  function show(event: ShopEvent): void {
    const head = el('h1', {}, event.title, ' ', phaseBadge(event, desk));
    const setUp = el('a', { className: 'button', href: `#/events/${eventId}/setup`, textContent: texts.setup });
    const links = el(
      'div',
      { className: 'row event-links' },
      el('code', { textContent: eventId }),
      el('a', { href: `#/rooms/${eventId}`, textContent: texts.toRoom }),
      event.state !== 'draft' && el('a', { href: `/events/${eventId}`, textContent: texts.toEventPage }),
      event.state !== 'cancelled' && needs('operator', setUp),
    );
    const form = eventForm(desk, event, show);
    form.classList.add('double');
    const panels = [seatsPanel(desk, event, change), publishPanel(desk, event, change)];
    fillWith(root, head, links, el('div', { className: 'panels' }, form, ...panels));
  }

  void load();
  return { title: eventId, root };
}
