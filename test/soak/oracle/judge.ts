/** The oracle: all promises against one history. A pure function; it knows the docs and nothing of the program. */
import type { History } from '../history.ts';
import { checkAdmissions } from './admission-checks.ts';
import { checkPlaces } from './place-checks.ts';
import { storiesOf, type Terms } from './places.ts';
import { checkRecords } from './record-checks.ts';
import { checkRooms } from './room-checks.ts';
import { checkService } from './service-checks.ts';
import { checkShop } from './shop-checks.ts';
import { checkDraws, checkTier1 } from './tier1-checks.ts';
import { createView } from './view.ts';
import type { Violation } from './violation.ts';

/** Violations in the order of time. */
export function judge(history: History): Violation[] {
  const view = createView(history);
  const stories = storiesOf(view);
  const terms: Terms = history.facts;
  return [
    ...checkPlaces(view, stories, terms),
    ...checkAdmissions(view, stories, terms),
    ...checkRooms(view, stories),
    ...checkTier1(view, stories),
    ...checkDraws(view, stories),
    ...checkService(view, stories),
    ...checkShop(view),
    ...checkRecords(view),
  ].sort((a, b) => a.at - b.at);
}
