/** The last minutes of a room, appended poll by poll. */
import type { History } from './wire.ts';

/** The longest series of the server has 720 points. */
const KEPT = 1_000;
export const columns = [
  'at',
  'waiting',
  'inside',
  'limit',
  'admittedPerSecond',
  'allowedPerSecond',
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
  allowedPerSecond: [],
  noShowsPerMinute: [],
  waitMiddle: [],
  waitLast: [],
};

/** Skips points that are already known: after a lost response the server sends them again. */
export function append(known: History, more: History): History {
  const last = known.at.at(-1) ?? 0;
  const from = more.at.findIndex((at) => at > last);
  if (from === -1) return known;
  return Object.fromEntries(
    columns.map((name) => [name, [...known[name], ...more[name].slice(from)].slice(-KEPT)]),
  ) as unknown as History;
}
