/**
 * The maximum number of visitors inside above the limit: by what the server reported, and by the visitors' own count, which
 * no server can hide.
 */
import type { FindingsRecord } from './findings.ts';

export function measureOvershoot(findings: FindingsRecord): number {
  return Math.max(findings.overshoot, ownCount(findings));
}

/** Compared with the highest limit so far, so that a change of the limit is no overshoot. */
function ownCount({ stories, raises }: FindingsRecord): number {
  const limits = [...raises].sort((a, b) => a.atMs - b.atMs);
  let limit = 0;
  let inside = 0;
  let most = 0;
  for (const { atMs, by } of comingsAndGoings(stories)) {
    inside += by;
    for (; limits.length > 0 && limits[0]!.atMs <= atMs; limits.shift()) limit = Math.max(limit, limits[0]!.limit);
    if (limit > 0) most = Math.max(most, inside - limit);
  }
  return most;
}

function comingsAndGoings(stories: FindingsRecord['stories']) {
  const moves: { atMs: number; by: 1 | -1 }[] = [];
  for (const { insideAt, leftAt } of stories) {
    if (insideAt !== undefined) moves.push({ atMs: insideAt, by: 1 });
    if (leftAt !== undefined) moves.push({ atMs: leftAt, by: -1 });
  }
  // Of the same moment, those who leave come first: their slots are free.
  return moves.sort((a, b) => a.atMs - b.atMs || a.by - b.by);
}
