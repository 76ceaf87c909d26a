/** The current state of a room. */
import { formatCount, formatTime } from '../../texts/format.ts';
import type { Desk } from '../controls/desk.ts';
import { el, setText } from '../controls/dom.ts';
import { factList, type Panel } from '../controls/panel.ts';
import { showRate, showSeconds, showWaiting } from '../controls/show-values.ts';
import { showAlarms } from './alarm-list.ts';
import { readEventTitles } from './event-titles.ts';
import { phaseBadge } from './phase-badge.ts';

export function statusPanel(desk: Desk, eventId: string): Panel {
  const { texts, language } = desk;
  const badge = phaseBadge(desk);
  const name = el('span', { textContent: eventId });
  const id = el('code', { className: 'soft', textContent: eventId, hidden: true });
  void readEventTitles(desk).then((titles) => {
    setText(name, titles.get(eventId) ?? eventId);
    id.hidden = !titles.has(eventId);
  });
  const opens = el('p', { className: 'about', hidden: true });
  const alarms = el('ul', { id: 'alarms', className: 'alarms', hidden: true });
  const facts = factList([texts.waiting, texts.insideOfLimit, texts.rate, texts.waitMiddle, texts.waitLast]);
  facts.root.classList.add('large');
  const link = el('a', {
    href: `/queue/${eventId}`,
    target: '_blank',
    rel: 'noopener',
    textContent: texts.visitorsPage,
  });
  return {
    root: el(
      'div',
      { className: 'wide' },
      el('h1', {}, name, ' ', badge.root),
      id,
      opens,
      alarms,
      facts.root,
      el('p', {}, el('a', { href: '#/', textContent: texts.rooms }), ' · ', link),
    ),
    update(room) {
      const inside = formatCount(room.admitted + room.active, language);
      const { opensAt } = room.settings;
      badge.update(room.phase);
      opens.hidden = room.phase !== 'not_open' || opensAt === undefined;
      if (opensAt !== undefined) setText(opens, formatTime(opensAt, language, 'said'));
      showAlarms(alarms, room.alarms, desk);
      facts.set(texts.waiting, showWaiting(room, desk));
      facts.set(texts.insideOfLimit, `${inside} / ${formatCount(room.limit, language)}`);
      facts.set(texts.rate, showRate(room.admittedPerSecond, desk));
      facts.set(texts.waitMiddle, showSeconds(room.wait.middle, desk));
      facts.set(texts.waitLast, showSeconds(room.wait.last, desk));
    },
  };
}
