/** The HTML report of a rehearsal: the verdict, then the measured sale next to the predicted one. */
import type { Judgement, Verdict } from '../rehearse/verdict.ts';
import { escapeHtml, formatCount, formatDuration, formatShare } from './format.ts';
import { renderPage, renderTable } from './page.ts';
import { type NamedSale, renderSaleCharts } from './sale-charts.ts';
import { renderFigures, renderTiles } from './sale-page.ts';
import { type Language, words } from './words.ts';

export interface TimePercentiles {
  count: number;
  p50: number | undefined;
  p99: number | undefined;
}

export interface RehearsalPage {
  language: Language;
  version: string;
  seed: string;
  where: string;
  verdict: Verdict;
  /** The predicted sale first, if there is one. */
  sales: readonly NamedSale[];
  requests: number;
  retries: number;
  /** Durations in ms by kind; see `Times` of src/rehearse/findings.ts. */
  times: Record<'request' | 'join' | 'poll' | 'news', TimePercentiles>;
  /** Undefined without purchases. */
  seatsBought: number | undefined;
  /** Distinct problems with their counts. */
  problems: ReadonlyMap<string, number>;
  settings: Readonly<Record<string, string>>;
}

export function renderRehearsalPage(page: RehearsalPage): string {
  const { language, version, seed, where, verdict, sales } = page;
  const say = words[language];
  const title = say.rehearsedTitle;
  return renderPage({
    language,
    title,
    sections: [
      `<h1>${escapeHtml(title)}</h1><p class="soft">${escapeHtml(say.rehearsedIntro(where))}</p>`,
      `<div class="advice ${verdict.isPassed ? 'good' : 'bad'}"><p><strong>${escapeHtml(formatVerdict(verdict, language))}</strong></p></div>`,
      renderGoals(verdict, language),
      renderProblems(page),
      renderTiles(sales, language),
      renderSaleCharts(sales, language),
      renderFigures(sales, language),
      renderTraffic(page),
    ],
    footer: say.rehearsedFooter(version, seed),
  });
}

export function formatVerdict({ isPassed, judgements }: Verdict, language: Language): string {
  const missed = judgements.filter(({ isMet }) => !isMet).length;
  return isPassed ? words[language].allMet : words[language].someMissed(formatCount(missed, language));
}

/** Name, target, measured value, result. */
export function toGoalRow(judgement: Judgement, language: Language): [string, string, string, string] {
  const say = words[language];
  const { goal, wanted, measured, isMet } = judgement;
  const bound = goal === 'finished' ? say.atLeast : say.atMost;
  return [
    say.goalNames[goal],
    bound(formatValue(wanted, judgement, language)),
    formatValue(measured, judgement, language),
    isMet ? say.met : say.missed,
  ];
}

function formatValue(value: number, { unit }: Judgement, language: Language): string {
  if (unit === 'share') return formatShare(value);
  return unit === 'ms' ? formatDuration(value, language) : formatCount(value, language);
}

function renderGoals({ judgements }: Verdict, language: Language): string {
  const say = words[language];
  const head = [say.goal, say.wanted, say.measured, say.result].map((text) => ({ text }));
  const rows = judgements.map((judgement) =>
    toGoalRow(judgement, language).map((text, i) => ({
      text,
      ...(i === 3 ? { tone: judgement.isMet ? ('pass' as const) : ('miss' as const) } : {}),
    })),
  );
  return renderTable(say.goals, head, rows);
}

function renderProblems({ problems, language }: RehearsalPage): string {
  if (problems.size === 0) return '';
  const rows = [...problems].map(([problem, count]) => [
    { text: problem },
    { text: formatCount(count, language), isNumber: true },
  ]);
  return renderTable(words[language].firstProblems, [{ text: '' }, { text: '', isNumber: true }], rows);
}

function renderTraffic({ requests, retries, seatsBought, settings, language }: RehearsalPage): string {
  const say = words[language];
  const rows = [
    [say.requests, formatCount(requests, language)],
    [say.retries, formatCount(retries, language)],
    ...(seatsBought === undefined ? [] : [[say.seatsSold, formatCount(seatsBought, language)]]),
    ...Object.entries(settings).map(([name, value]) => [`--${name}`, value]),
  ].map(([name, value]) => [{ text: name! }, { text: value!, isNumber: true }]);
  return renderTable(say.settings, [{ text: say.setting }, { text: '', isNumber: true }], rows);
}
