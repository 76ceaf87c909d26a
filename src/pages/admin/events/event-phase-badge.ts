/** The phase of an event as a badge: the same rule as the listing, the button and the seat map of the shop. */
import { type EventPhase, phaseOf } from '../../../shop/rules/event-phase.ts';
import type { ShopEvent } from '../api/wire.ts';
import type { Desk } from '../controls/desk.ts';
import { el } from '../controls/dom.ts';

const tones: Readonly<Record<EventPhase, string>> = {
  draft: 'neutral',
  announced: '',
  presale: 'success',
  'on-sale': 'success',
  paused: 'warning',
  'sold-out': 'warning',
  ended: 'neutral',
  cancelled: 'danger',
};

export function phaseOfEvent(event: ShopEvent, desk: Pick<Desk, 'overview'>): EventPhase {
  const left = event.standing.reduce((sum, { remaining }) => sum + remaining, event.seats.remaining);
  const room = desk.overview()?.rooms.find(({ eventId }) => eventId === event.eventId);
  return phaseOf({ ...event, left, isPaused: room?.phase === 'paused' }, Date.now());
}

export function phaseBadge(event: ShopEvent, desk: Pick<Desk, 'overview' | 'texts'>): HTMLElement {
  const phase = phaseOfEvent(event, desk);
  return el('span', {
    className: `badge ${tones[phase]}`.trim(),
    textContent: desk.texts[`phase_event_${phase}`],
  });
}
