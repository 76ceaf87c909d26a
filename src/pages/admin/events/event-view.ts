/** One event: details, seats, publishing. */
import type { Answer } from '../api/api.ts';
import { retryUntilOk } from '../api/retry-until-ok.ts';
import type { ShopEvent } from '../api/wire.ts';
import { type Desk, refusalText, type View } from '../controls/desk.ts';
import { el, fillWith } from '../controls/dom.ts';
import { eventForm } from './event-form.ts';
import { stateBadge } from './events-view.ts';
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
    show(events.find((event) => event.eventId === eventId));
  }

  /** Runs a change, reports its result and shows the changed event. */
  async function change(work: () => Promise<Answer<ShopEvent>>): Promise<void> {
    const answer = await work();
    if (!answer.ok) return desk.say(refusalText(desk, answer), 'bad');
    desk.say(texts.done);
    show(answer.body);
  }

  function show(event: ShopEvent | undefined): void {
    const head = el('h1', {}, event?.title ?? texts.newEvent, ' ', event && stateBadge(event.state, desk));
    const links = el(
      'p',
      {},
      `${eventId} `,
      event && el('a', { href: `#/rooms/${eventId}`, textContent: texts.toRoom }),
    );
    const form = eventForm(desk, eventId, event, (saved) => show(saved));
    const panels = event === undefined ? [] : [seatsPanel(desk, event, change), publishPanel(desk, event, change)];
    fillWith(root, head, links, el('div', { className: 'panels' }, form, ...panels));
  }

  void load();
  return { title: eventId, root };
}
