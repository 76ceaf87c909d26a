/** The result of a rehearsal as text for the terminal and as JSON. */
import { formatCount } from '../report/format.ts';
import { formatVerdict, type RehearsalPage, toGoalRow } from '../report/rehearsal-page.ts';
import { words } from '../report/words.ts';

export function toText({ verdict, problems, sales, requests, retries, seatsBought, language }: RehearsalPage): string {
  const say = words[language];
  const rows = verdict.judgements.map((judgement) => toGoalRow(judgement, language));
  const width = (column: 0 | 1 | 2) => Math.max(...rows.map((row) => row[column].length));
  const goals = rows.map(
    ([name, wanted, measured, result]) =>
      `  ${name.padEnd(width(0))}  ${wanted.padEnd(width(1))}  ${measured.padEnd(width(2))}  ${result}`,
  );
  const waits = sales.map(
    ({ name, summary }) =>
      `  ${say.medianWait}, ${name}: ${summary.wait === undefined ? say.nobody : `${(summary.wait.p50 / 1000).toFixed(1)} s`}`,
  );
  const problemRows = [...problems].map(([problem, count]) => `  ${count} x ${problem}`);
  return [
    ...goals,
    '',
    ...waits,
    `  ${say.requests}: ${formatCount(requests, language)}; ${say.retries}: ${formatCount(retries, language)}`,
    ...(seatsBought === undefined ? [] : [`  ${say.seatsSold}: ${formatCount(seatsBought, language)}`]),
    ...(problemRows.length === 0 ? [] : ['', say.firstProblems, ...problemRows]),
    '',
    formatVerdict(verdict, language),
  ].join('\n');
}

export function toJson(page: RehearsalPage): string {
  const { version, where, verdict, requests, retries, times, seatsBought, problems, settings, sales } = page;
  return JSON.stringify(
    {
      version,
      where,
      verdict,
      requests,
      retries,
      times,
      seatsBought,
      problems: Object.fromEntries(problems),
      settings,
      sales,
    },
    null,
    2,
  );
}
