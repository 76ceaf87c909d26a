/** Which view an address shows. */
import { auditView } from './audit-view.ts';
import type { Desk, View } from './desk.ts';
import { el } from './dom.ts';
import { eventView } from './event-view.ts';
import { eventsView } from './events-view.ts';
import { layoutView } from './layout-view.ts';
import { layoutsView } from './layouts-view.ts';
import { roomView } from './room-view.ts';
import { roomsView } from './rooms-view.ts';
import { statsView } from './stats-view.ts';

type Open = (desk: Desk, id: string) => View;

const ID = '([A-Za-z0-9_-]{1,64})';
const routes: [RegExp, Open][] = [
  [/^(?:#\/?)?$/, roomsView],
  [new RegExp(`^#/rooms/${ID}$`), roomView],
  [/^#\/events$/, eventsView],
  [new RegExp(`^#/events/${ID}$`), eventView],
  [/^#\/layouts$/, layoutsView],
  [new RegExp(`^#/layouts/${ID}$`), layoutView],
  [/^#\/stats$/, statsView],
  [new RegExp(`^#/stats/${ID}$`), statsView],
  [/^#\/audit$/, auditView],
];

export function openView(hash: string, desk: Desk): View {
  for (const [pattern, open] of routes) {
    const match = pattern.exec(hash);
    if (match !== null) return open(desk, match[1] ?? '');
  }
  const { nothingHere } = desk.texts;
  return { title: nothingHere, root: el('div', { className: 'view' }, el('h1', { textContent: nothingHere })) };
}
