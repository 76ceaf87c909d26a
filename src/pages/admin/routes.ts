/** Maps the hash of the URL to a view. */
import { auditView } from './audit/audit-view.ts';
import type { Desk, View } from './controls/desk.ts';
import { el } from './controls/dom.ts';
import { eventView } from './events/event-view.ts';
import { eventsView } from './events/events-view.ts';
import { layoutView } from './events/layouts/layout-view.ts';
import { layoutsView } from './events/layouts/layouts-view.ts';
import { newEventView, wizardView } from './events/wizard/wizard-view.ts';
import { operatorsView } from './operators/operators-view.ts';
import { roomView } from './rooms/room-view.ts';
import { roomsView } from './rooms/rooms-view.ts';
import { accountView } from './session/account-view.ts';
import { statsView } from './stats/stats-view.ts';

type Open = (desk: Desk, id: string, part: string) => View;

const ID = '([A-Za-z0-9_-]{1,64})';
const routes: [RegExp, Open][] = [
  [/^(?:#\/?)?$/, roomsView],
  [new RegExp(`^#/rooms/${ID}$`), roomView],
  [/^#\/events$/, eventsView],
  [new RegExp(`^#/events/${ID}$`), eventView],
  [/^#\/events-new$/, newEventView],
  [new RegExp(`^#/events/${ID}/setup(?:/([a-z]+))?$`), wizardView],
  [/^#\/layouts$/, layoutsView],
  [new RegExp(`^#/layouts/${ID}(?:/for/${ID})?$`), layoutView],
  [/^#\/stats$/, statsView],
  [new RegExp(`^#/stats/${ID}$`), statsView],
  [/^#\/audit$/, auditView],
  [/^#\/operators$/, operatorsView],
  [/^#\/account$/, accountView],
];

export function openView(hash: string, desk: Desk): View {
  for (const [pattern, open] of routes) {
    const match = pattern.exec(hash);
    if (match !== null) return open(desk, match[1] ?? '', match[2] ?? '');
  }
  const { nothingHere } = desk.texts;
  return { title: nothingHere, root: el('div', { className: 'view' }, el('h1', { textContent: nothingHere })) };
}
