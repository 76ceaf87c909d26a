/** The phase of an event as a badge. Its text says it; the colour only helps. */
import type { EventPhase } from '../../../shop/rules/event-phase.ts';
import { nameOfPhase } from './event-facts.ts';

const TONES: Readonly<Record<EventPhase, string>> = {
  draft: 'neutral',
  announced: 'neutral',
  presale: '',
  'on-sale': 'success',
  paused: 'warning',
  'sold-out': 'warning',
  ended: 'neutral',
  cancelled: 'danger',
};

export function PhaseBadge({ phase }: { phase: EventPhase }) {
  return <span class={`badge ${TONES[phase]}`}>{nameOfPhase(phase)}</span>;
}
