/** The phase of a room as a coloured badge. */

import type { Phase } from '../api/wire.ts';
import type { Desk } from '../controls/desk.ts';
import { el, setText } from '../controls/dom.ts';

export function phaseBadge({ texts }: Pick<Desk, 'texts'>): { root: HTMLElement; update(phase: Phase): void } {
  const root = el('span', { className: 'badge' });
  return {
    root,
    update(phase) {
      root.className = `badge ${phase}`;
      setText(root, texts[`phase_${phase}`]);
    },
  };
}
