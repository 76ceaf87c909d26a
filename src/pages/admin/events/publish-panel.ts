/** Puts an event on sale or cancels it; both are irreversible. */
import { fill } from '../../texts/language.ts';
import type { ShopEvent } from '../api/wire.ts';
import type { Desk } from '../controls/desk.ts';
import { el } from '../controls/dom.ts';
import { needs } from '../controls/needs.ts';
import { section } from '../controls/panel.ts';
import type { Change } from './seats-panel.ts';

export function publishPanel(desk: Desk, { eventId, state }: ShopEvent, change: Change): HTMLElement {
  const { texts, api } = desk;

  async function move(what: 'open' | 'cancel', question: string, body: string, yes: string): Promise<void> {
    const title = fill(question, { event: eventId });
    if (!(await desk.confirm({ title, body, yes, word: eventId, isDangerous: what === 'cancel' }))) return;
    await change(() => api.post<ShopEvent>(`/api/admin/events/${eventId}/${what}`));
  }
  const open = el('button', {
    id: 'open',
    type: 'button',
    className: 'main',
    textContent: texts.open,
    onclick: () => move('open', texts.openQuestion, texts.openWarning, texts.open),
  });
  const cancel = el('button', {
    id: 'cancel',
    type: 'button',
    className: 'danger',
    textContent: texts.cancelEvent,
    onclick: () => move('cancel', texts.cancelQuestion, texts.cancelWarning, texts.cancelEvent),
  });
  return section(
    'publish',
    texts.publish,
    el('p', { className: 'about', textContent: state === 'draft' ? texts.publishAbout : texts[`publish_${state}`] }),
    el(
      'div',
      { className: 'actions' },
      state === 'draft' && needs('operator', open),
      state !== 'cancelled' && needs('admin', cancel),
    ),
  );
}
