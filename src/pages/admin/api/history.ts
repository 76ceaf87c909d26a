/** The last minutes of a room as the page has been told them, piece by piece. */
import type { History } from './wire.ts';

const KEPT = 450;
const columns = [
  'at',
  'waiting',
  'inside',
  'limit',
  'admittedPerSecond',
  'noShowsPerMinute',
  'waitMiddle',
  'waitLast',
] as const;

export const noHistory: History = {
  at: [],
  waiting: [],
  inside: [],
  limit: [],
  admittedPerSecond: [],
  noShowsPerMinute: [],
  waitMiddle: [],
  waitLast: [],
};

/** Points that are known already are told once more where an answer was lost; they count once. */
export function append(known: History, more: History): History {
  const last = known.at.at(-1) ?? 0;
  const from = more.at.findIndex((at) => at > last);
  if (from === -1) return known;
  return Object.fromEntries(
    columns.map((name) => [name, [...known[name], ...more[name].slice(from)].slice(-KEPT)]),
  ) as unknown as History;
}
