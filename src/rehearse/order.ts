/**
 * Counts visitors admitted out of order, in three ways that do not rely on the server's word alone. Each visitor counts
 * once.
 */
import type { Story } from './findings.ts';

/**
 * Responses can be two ticks old, and pages poll once a second. A visitor who is still waiting this long after a visitor
 * behind them entered was passed over.
 */
export const PASSED_OVER_AFTER_MS = 5_000;

export function countInversions(stories: readonly Story[]): number {
  const inverted = new Set<Story>([...wrongNumbers(stories), ...admittedTooSoon(stories), ...passedOver(stories)]);
  return inverted.size;
}

/** Visitors who joined after another visitor's response arrived, and got a lower number. */
function wrongNumbers(stories: readonly Story[]): Story[] {
  const joined = stories.filter((story) => story.number !== undefined && story.joinAnsweredAt !== undefined);
  const byAnswer = [...joined].sort((a, b) => a.joinAnsweredAt! - b.joinAnsweredAt!);
  const bySending = [...joined].sort((a, b) => a.joinSentAt! - b.joinSentAt!);
  let answered = 0;
  let highest = 0;
  return bySending.filter((story) => {
    while (answered < byAnswer.length && byAnswer[answered]!.joinAnsweredAt! < story.joinSentAt!) {
      highest = Math.max(highest, byAnswer[answered]!.number!);
      answered += 1;
    }
    return story.number! < highest;
  });
}

/** Visitors whom the server admitted in an earlier second than a visitor with a lower number. */
function admittedTooSoon(stories: readonly Story[]): Story[] {
  const admitted = byNumber(stories).filter(({ admittedAtSeconds }) => admittedAtSeconds !== undefined);
  let latest = 0;
  return admitted.filter(({ admittedAtSeconds }) => {
    const isTooSoon = admittedAtSeconds! < latest;
    latest = Math.max(latest, admittedAtSeconds!);
    return isTooSoon;
  });
}

/** Visitors still waiting long after a visitor with a higher number entered. */
function passedOver(stories: readonly Story[]): Story[] {
  let earliest = Number.POSITIVE_INFINITY;
  return byNumber(stories)
    .reverse()
    .filter(({ lastWaitingAt, insideAt }) => {
      const isPassedOver = lastWaitingAt !== undefined && lastWaitingAt > earliest + PASSED_OVER_AFTER_MS;
      earliest = Math.min(earliest, insideAt ?? Number.POSITIVE_INFINITY);
      return isPassedOver;
    });
}

function byNumber(stories: readonly Story[]): Story[] {
  return stories.filter(({ number }) => number !== undefined).sort((a, b) => a.number! - b.number!);
}
