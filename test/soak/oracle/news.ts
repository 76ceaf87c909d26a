/** How late visitors learned of their admission: from its entry in the store to the first response that said so. Pure. */
import type { History } from '../history.ts';
import { entriesByNumber } from './place-checks.ts';
import { storiesOf } from './places.ts';
import { createView } from './view.ts';

export interface NewsTimes {
  count: number;
  p50Ms: number;
  p99Ms: number;
  worstMs: number;
}

/** A visitor who did not ask for so long was not waiting for an answer. */
const SILENT_MS = 2_000;

export function newsTimes(history: History): NewsTimes {
  const view = createView(history);
  const times: number[] = [];
  for (const story of storiesOf(view)) {
    const entryOf = entriesByNumber(view, story.eventId);
    const told = story.steps.find(({ said }) => said.state === 'inside' || said.state === 'ready');
    const number = story.steps.find(({ said }) => said.number !== undefined)?.said.number;
    const entry = number === undefined ? undefined : entryOf.get(number);
    if (told === undefined || entry === undefined) continue;
    const asked = story.all.filter(({ at, until }) => until > entry.at && at <= told.asked.at).map(({ at }) => at);
    const gaps = [entry.at, ...asked].map((at, no, all) => (all[no + 1] ?? at) - at);
    if (gaps.every((gap) => gap <= SILENT_MS)) times.push(Math.max(0, told.asked.until - entry.at));
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return { count: times.length, p50Ms: at(0.5), p99Ms: at(0.99), worstMs: times.at(-1) ?? 0 };
}
