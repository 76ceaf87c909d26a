/** One tick's measurement of a line, from which every process computes the position of any waiting visitor. */
import type { Crowd, WaitingStanding } from '../model/standing.ts';
import type { Ruler } from './ruler.ts';

export interface Pulse {
  at: number;
  crowd: Crowd;
  ruler: Ruler;
  /** Measures the priority lane while it has visitors; `ruler` then measures the ordinary lane. */
  priorityRuler?: Ruler;
}

/** The ruler of the visitor's lane; undefined if the lane was empty when measured. */
export function rulerOf({ ruler, priorityRuler }: Pulse, { lane }: WaitingStanding): Ruler | undefined {
  return lane === 'priority' ? priorityRuler : ruler;
}
