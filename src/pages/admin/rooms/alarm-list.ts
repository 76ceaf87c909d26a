/** The alarms of a room, one banner each. */
import type { AdminTexts } from '../../texts/en.ts';
import type { Desk } from '../controls/desk.ts';
import { el, fillWith } from '../controls/dom.ts';

/** Alarms by which a sale stands still. */
const GRAVE = new Set(['stalled', 'no_room', 'site_failing']);

export function showAlarms(list: HTMLElement, alarms: readonly string[], { texts }: Pick<Desk, 'texts'>): void {
  if (list.dataset.alarms === alarms.join()) return;
  list.dataset.alarms = alarms.join();
  list.hidden = alarms.length === 0;
  const toItem = (alarm: string) =>
    el('li', {
      className: `banner ${GRAVE.has(alarm) ? 'danger' : 'warning'}`,
      textContent: texts[`alarm_${alarm}` as keyof AdminTexts] ?? alarm,
    });
  fillWith(list, ...alarms.map(toItem));
}
