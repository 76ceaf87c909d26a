/** The alarms of a room as text. */
import type { AdminTexts } from '../../texts/en.ts';
import type { Desk } from '../controls/desk.ts';
import { el, fillWith } from '../controls/dom.ts';

export function showAlarms(list: HTMLElement, alarms: readonly string[], { texts }: Pick<Desk, 'texts'>): void {
  if (list.dataset.alarms === alarms.join()) return;
  list.dataset.alarms = alarms.join();
  list.hidden = alarms.length === 0;
  const sentences = alarms.map((alarm) => texts[`alarm_${alarm}` as keyof AdminTexts] ?? alarm);
  fillWith(list, ...sentences.map((textContent) => el('li', { textContent })));
}
