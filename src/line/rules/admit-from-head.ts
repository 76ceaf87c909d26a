/** Admits from the heads of the lanes. */
import { nextTurn } from '../model/lanes.ts';
import type { Line, Place } from '../model/line.ts';
import { isQuiet, passOver } from './away.ts';
import { allowance, countFree, isTooEarly, take } from './free-slots.ts';
import { countReturned, takeReturned } from './returned-tokens.ts';
import { admit, isSilent, lapse } from './sessions.ts';

export interface Admission {
  admitted: Place[];
  /** True if it stopped at `limit` with more to do. */
  more: boolean;
}

/** Admits as many as free slots, rate and batch allow, and examines at most `limit` places (invariant 9). */
export function admitFromHead(line: Line, now: number, limit: number): Admission {
  const allowed = allowance(line, now);
  const free = Math.min(countFree(line), allowed + countReturned(line, allowed));
  const { credit } = line;
  const admitted: Place[] = [];
  let examined = 0;
  for (; admitted.length < free && examined < limit; examined += 1) {
    const quiet = findQuietHead(line, now);
    if (quiet !== undefined) {
      if (isSilent(line, quiet, now)) lapse(line, quiet);
      else passOver(line, quiet);
      continue;
    }
    const next = chooseHead(line, now);
    if (next === undefined) break;
    admit(line, next, now);
    admitted.push(next);
  }
  const regular = Math.min(admitted.length, allowed);
  take(line, regular);
  takeReturned(line, admitted.length - regular);
  if (line.credit !== credit) line.onChange({ kind: 'credit', credit: line.credit });
  return { admitted, more: examined === limit && admitted.length < free };
}

/** A head that is not there, before any turn is taken: it must not cost its lane credit. */
function findQuietHead(line: Line, now: number): Place | undefined {
  const isGone = (head: Place) => isSilent(line, head, now) || isQuiet(line, head, now);
  const ordinary = line.waiting.head();
  if (ordinary !== undefined && isGone(ordinary)) return ordinary;
  const priority = line.priority.head();
  return priority !== undefined && isGone(priority) ? priority : undefined;
}

/** A head that is too early blocks its own lane only. */
function chooseHead(line: Line, now: number): Place | undefined {
  const ordinary = orNotYet(line, line.waiting.head(), now);
  const priority = orNotYet(line, line.priority.head(), now);
  if (ordinary === undefined || priority === undefined) return ordinary ?? priority;
  return takeTurn(line, ordinary, priority);
}

function orNotYet(line: Line, head: Place | undefined, now: number): Place | undefined {
  return head === undefined || isTooEarly(line, head.joinedAt, now) ? undefined : head;
}

/** Which of the two heads is next; updates the credit. */
function takeTurn(line: Line, ordinary: Place, priority: Place): Place {
  const share = line.settings.priorityShare;
  // The share was set to 0 while members waited: numbers alone decide.
  if (share === 0) return ordinary.number < priority.number ? ordinary : priority;
  const turn = nextTurn(line.credit, share);
  line.credit = turn.credit;
  return turn.lane === 'priority' ? priority : ordinary;
}
