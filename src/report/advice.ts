/** Turns a recommendation into sentences. */
import type { Recommendation } from '../simulate/recommend.ts';
import type { SaleSummary } from '../simulate/summary.ts';
import { formatCount, formatDuration, formatShare } from './format.ts';
import { type Language, type Words, words } from './words.ts';

export function toSentences(advice: Recommendation, summary: SaleSummary, language: Language): string[] {
  const say = words[language];
  const goal = formatDuration(advice.goalMs, language);
  const sentences = [verdictOf(advice, goal, language, say)];
  if (advice.limit !== undefined && advice.verdict !== 'fits') {
    const limit = formatCount(advice.limit, language);
    sentences.push(say.adviseLimit(limit, goal), say.adviseRate(limit));
  }
  sentences.push(say.adviseHold(formatDuration(advice.holdMs, language)));
  const { seats, visitors } = summary;
  // Counted by buyers, not by seats: a buyer can take several.
  const without = seats === undefined ? 0 : visitors - Math.max(seats.buyers, 0);
  if (seats !== undefined && summary.soldOutAtMs !== undefined && without > 0) {
    sentences.push(say.emptyHanded(formatCount(without, language), formatShare(without / visitors)));
  }
  return sentences;
}

function verdictOf(advice: Recommendation, goal: string, language: Language, say: Words): string {
  const done = advice.doneAtMs === undefined ? '' : formatDuration(advice.doneAtMs, language);
  switch (advice.verdict) {
    case 'fits':
      return say.fits(done, goal);
    case 'too-low':
      return say.tooLow(goal, done === '' ? say.tooLowNotDone : say.tooLowDone(done));
    case 'higher-than-needed':
      return say.higher(done, goal);
    case 'no-line':
      return say.noLine;
    case 'crowd-too-small':
      return say.crowdTooSmall(goal);
  }
}
