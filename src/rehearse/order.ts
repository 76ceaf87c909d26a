/**
 * Whether the crowd was let in by its order. Three ways of seeing an inversion, none of which takes the server's word
 * for all of it; each visitor counts once.
 */
import type { Story } from './findings.ts';

/**
 * Answers may be as old as a tick or two, and a page asks once a second: whoever is told to wait so long after somebody
 * behind them is inside was passed over.
 */
export const PASSED_OVER_AFTER_MS = 5_000;

export function countInversions(stories: readonly Story[]): number {
  const inverted = new Set<Story>([...wrongNumbers(stories), ...admittedTooSoon(stories), ...passedOver(stories)]);
  return inverted.size;
}

/** Those who sent their request to join after somebody else's was answered, and got a lower number. */
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

/** Those whom the server says it let in in an earlier second than somebody with a lower number. */
function admittedTooSoon(stories: readonly Story[]): Story[] {
  const admitted = byNumber(stories).filter(({ admittedAtSeconds }) => admittedAtSeconds !== undefined);
  let latest = 0;
  return admitted.filter(({ admittedAtSeconds }) => {
    const isTooSoon = admittedAtSeconds! < latest;
    latest = Math.max(latest, admittedAtSeconds!);
    return isTooSoon;
  });
}

/** Those who were told to wait long after somebody with a higher number was inside. */
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
