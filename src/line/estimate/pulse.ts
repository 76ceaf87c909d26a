/** One tick's measurement of a line, from which every process can tell any waiter where they stand. */
import type { Crowd, WaitingStanding } from '../model/standing.ts';
import type { Ruler } from './ruler.ts';

export interface Pulse {
  at: number;
  crowd: Crowd;
  ruler: Ruler;
  /** Of the priority lane, while somebody stands in it; `ruler` is then that of the ordinary one. */
  priorityRuler?: Ruler;
}

/** What a waiter's position is read from; undefined where nobody stood in their lane. */
export function rulerOf({ ruler, priorityRuler }: Pulse, { lane }: WaitingStanding): Ruler | undefined {
  return lane === 'priority' ? priorityRuler : ruler;
}
