/** The parts that a view is made of. */

import type { Overview, RoomSummary } from '../api/wire.ts';
import { type Child, el, setText } from './dom.ts';

/** A part of the view that may follow the room. */
export interface Panel {
  root: HTMLElement;
  update?(room: RoomSummary, overview: Overview): void;
  close?(): void;
}

/** A part of the page under a heading of its own. */
export function section(id: string, title: string, ...children: Child[]): HTMLElement {
  return el(
    'section',
    { id, className: 'card panel', attributes: { 'aria-labelledby': `${id}-title` } },
    el('h2', { id: `${id}-title`, textContent: title }),
    ...children,
  );
}

/** Names and values, of which the values change. */
export function factList(labels: readonly string[]): { root: HTMLElement; set(label: string, value: string): void } {
  const values = new Map(labels.map((label) => [label, el('dd')]));
  const rows = labels.map((label) => el('div', {}, el('dt', { textContent: label }), values.get(label)!));
  return {
    root: el('dl', { className: 'facts' }, ...rows),
    set(label, value) {
      setText(values.get(label)!, value);
    },
  };
}
