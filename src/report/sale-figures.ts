/** The figures of a sale with their labels, for the HTML report and the terminal. */
import type { SaleSummary } from '../simulate/summary.ts';
import { formatClock, formatCount, formatDuration, formatShare } from './format.ts';
import { type Language, words } from './words.ts';

export interface Figure {
  name: string;
  value: string;
  /** Shown as a tile at the top. */
  isMain: boolean;
}

export function toFigures(summary: SaleSummary, language: Language): Figure[] {
  const say = words[language];
  const { fates, wait, seats, visitors, longestLine } = summary;
  const count = (value: number) => formatCount(value, language);
  const duration = (ms: number | undefined) => (ms === undefined ? say.nobody : formatDuration(ms, language));
  const main = (name: string, value: string): Figure => ({ name, value, isMain: true });
  const other = (name: string, value: string): Figure => ({ name, value, isMain: false });
  return [
    main(say.visitors, count(visitors)),
    ...(seats === undefined ? [] : [main(say.soldOut, soldOutText(summary, language))]),
    main(say.medianWait, duration(wait?.p50)),
    main(say.p90Wait, duration(wait?.p90)),
    other(say.p99Wait, duration(wait?.p99)),
    other(say.longestWait, duration(wait?.longest)),
    main(say.longestLine, say.longestLineAt(count(longestLine.waiting), formatClock(longestLine.atMs))),
    main(say.shareInside, `${count(fates.inside)} (${formatShare(fates.inside / Math.max(1, visitors))})`),
    other(say.mostInside, count(summary.mostInside)),
    ...(seats === undefined ? [] : [other(say.seatsSold, count(seats.sold)), other(say.buyers, count(seats.buyers))]),
    other(say.gaveUp, count(fates['gave-up'])),
    other(say.noShows, count(fates['no-show'])),
    other(say.leftWaiting, count(fates.waiting)),
    other(say.tooLate, count(fates.absent)),
    other(say.ended, duration(summary.endedAtMs)),
  ];
}

function soldOutText({ soldOutAtMs, seats }: SaleSummary, language: Language): string {
  if (soldOutAtMs !== undefined) return formatDuration(soldOutAtMs, language);
  return words[language].notSoldOut(formatCount(seats!.sold, language), formatCount(seats!.total, language));
}
