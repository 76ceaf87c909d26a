/** Whether visits found a line empty, as far as their outcomes tell. */
import type { VisitOutcome } from './scripts/visit.ts';

export function hasPlace(outcome: VisitOutcome): boolean {
  return 'standing' in outcome && outcome.standing.state !== 'absent';
}

/** Whether the line may have been empty before these visits: nobody else is in it. */
export function mayHaveBeenIdle(outcomes: VisitOutcome[]): boolean {
  const here = outcomes.filter(hasPlace).length;
  const last = outcomes.findLast((outcome) => 'crowd' in outcome)?.crowd;
  return last !== undefined && last.waiting + last.admitted + last.active <= here;
}
