/** Admits from the heads of the lanes. */
import { nextTurn } from '../model/lanes.ts';
import type { Line, Place } from '../model/line.ts';
import { allowance, countFree, isTooEarly, take } from './free-slots.ts';
import { admit, isSilent, lapse } from './sessions.ts';

export interface Admission {
  admitted: Place[];
  /** True if it stopped at `limit` with more to do. */
  more: boolean;
}

/** Admits as many as free slots, rate and batch allow, and examines at most `limit` places (invariant 9). */
export function admitFromHead(line: Line, now: number, limit: number): Admission {
  const free = Math.min(countFree(line), allowance(line, now));
  const { credit } = line;
  const admitted: Place[] = [];
  let examined = 0;
  for (; admitted.length < free && examined < limit; examined += 1) {
    const silent = findSilentHead(line, now);
    if (silent !== undefined) {
      lapse(line, silent);
      continue;
    }
    const next = chooseHead(line, now);
    if (next === undefined) break;
    admit(line, next, now);
    admitted.push(next);
  }
  take(line, admitted.length);
  if (line.credit !== credit) line.onChange({ kind: 'credit', credit: line.credit });
  return { admitted, more: examined === limit && admitted.length < free };
}

function findSilentHead(line: Line, now: number): Place | undefined {
  const ordinary = line.waiting.head();
  if (ordinary !== undefined && isSilent(line, ordinary, now)) return ordinary;
  const priority = line.priority.head();
  return priority !== undefined && isSilent(line, priority, now) ? priority : undefined;
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
