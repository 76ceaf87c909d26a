/** Building blocks of views. */

import type { Overview, RoomSummary } from '../api/wire.ts';
import { type Child, el, setText } from './dom.ts';

/** A part of a room's view; `update` is called with each overview. */
export interface Panel {
  root: HTMLElement;
  update?(room: RoomSummary, overview: Overview): void;
  close?(): void;
}

/** A card with a heading. */
export function section(id: string, title: string, ...children: Child[]): HTMLElement {
  return el(
    'section',
    { id, className: 'card panel', attributes: { 'aria-labelledby': `${id}-title` } },
    el('h2', { id: `${id}-title`, textContent: title }),
    ...children,
  );
}

/** A list of labels with values that change. */
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
