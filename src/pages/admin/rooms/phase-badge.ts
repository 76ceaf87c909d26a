/** The phase of a room as a badge. */

import type { Phase } from '../api/wire.ts';
import type { Desk } from '../controls/desk.ts';
import { el, setText } from '../controls/dom.ts';

const TONES: Record<Phase, string> = { open: 'success', paused: 'warning', closed: 'danger', not_open: 'neutral' };

export function phaseBadge({ texts }: Pick<Desk, 'texts'>): { root: HTMLElement; update(phase: Phase): void } {
  const root = el('span', { className: 'badge' });
  return {
    root,
    update(phase) {
      root.className = `badge ${TONES[phase]}`;
      setText(root, texts[`phase_${phase}`]);
    },
  };
}
