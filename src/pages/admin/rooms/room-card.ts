/** One room on the overview: large figures, a trend and its alarms. */
import { formatCount } from '../../texts/format.ts';
import type { RoomSummary } from '../api/wire.ts';
import { sparkline } from '../charts/sparkline.ts';
import type { Desk } from '../controls/desk.ts';
import { el, setText } from '../controls/dom.ts';
import { showRate, showSeconds } from '../controls/show-values.ts';
import { showAlarms } from './alarm-list.ts';
import { phaseBadge } from './phase-badge.ts';

export interface RoomCard {
  root: HTMLElement;
  update(room: RoomSummary): void;
  /** The title of the event, once it is known. */
  call(title: string): void;
}

/** Nobody waits or is inside. */
export function isIdle({ waiting, admitted, active, tier1 }: RoomSummary): boolean {
  return waiting + admitted + active + (tier1?.waitingCount ?? 0) === 0;
}

export function createRoomCard(eventId: string, desk: Desk): RoomCard {
  const { texts, language } = desk;
  const badge = phaseBadge(desk);
  const meter = el('meter', { min: 0, attributes: { 'aria-label': texts.insideOfLimit } });
  const alarms = el('ul', { className: 'alarms' });
  const trend = sparkline(desk);
  const stat = (label: string, className = '') => {
    const value = el('dd', { textContent: texts.unknown });
    return { value, root: el('div', { className: `stat ${className}` }, el('dt', { textContent: label }), value) };
  };
  const waiting = stat(texts.waiting, 'hero');
  const inside = stat(texts.insideOfLimit);
  const rate = stat(texts.rate);
  const wait = stat(texts.expectedWait);
  const tier1 = stat(texts.tier1Waiting);
  const away = el('span', { className: 'soft' });
  const link = el('a', { href: `#/rooms/${eventId}`, textContent: eventId });
  const id = el('code', { className: 'soft', textContent: eventId, hidden: true });
  const head = el(
    'div',
    { className: 'row between' },
    el('div', {}, el('h2', { className: 'room-name' }, link), id),
    badge.root,
  );
  const root = el(
    'li',
    { className: 'card room', attributes: { 'data-event': eventId } },
    head,
    alarms,
    el('dl', { className: 'wall-stats' }, waiting.root, inside.root, rate.root, wait.root, tier1.root),
    meter,
  );
  waiting.root.append(el('dd', { className: 'wall-trend' }, away));
  waiting.root.lastElementChild!.append(trend.root);
  return {
    root,
    update(room) {
      const here = room.admitted + room.active;
      badge.update(room.phase);
      setText(waiting.value, formatCount(room.waiting, language));
      setText(
        away,
        room.away === 0
          ? ''
          : texts.waitingAway.replace('{count} ', '').replace('{away}', formatCount(room.away, language)),
      );
      setText(inside.value, `${formatCount(here, language)} / ${formatCount(room.limit, language)}`);
      setText(rate.value, showRate(room.admittedPerSecond, desk));
      setText(wait.value, showSeconds(room.wait.last, desk));
      tier1.root.hidden = room.tier1 === null;
      setText(tier1.value, formatCount(room.tier1?.waitingCount ?? 0, language));
      trend.update(room.trend);
      meter.max = Math.max(1, room.limit);
      meter.value = here;
      root.classList.toggle('troubled', room.alarms.length > 0);
      root.classList.toggle('idle', room.alarms.length === 0 && isIdle(room));
      showAlarms(alarms, room.alarms, desk);
    },
    call(title) {
      setText(link, title);
      id.hidden = false;
    },
  };
}
