/** The charts of one sale, or of two in comparison. */
import type { SaleSummary } from '../simulate/summary.ts';
import { formatClock, formatCount, formatDuration, formatShare } from './format.ts';
import { type Chart, renderChart, type Series } from './svg-chart.ts';
import { type Language, type Words, words } from './words.ts';

export interface NamedSale {
  /** Distinguishes two sales; empty for a single one. */
  name: string;
  summary: SaleSummary;
}

const SECOND = 1_000;
const TIME_STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 28_800].map(
  (seconds) => seconds * SECOND,
);
const TONES = ['a', 'b'] as const;

export function renderSaleCharts(sales: readonly NamedSale[], language: Language): string {
  const say = words[language];
  const charts = [lineChart(sales, say, language), insideChart(sales, say, language), waitChart(sales, say, language)];
  charts.push(servedChart(sales, say));
  if (sales.some(({ summary }) => summary.seats !== undefined)) charts.push(seatsChart(sales, say, language));
  return charts.map(renderChart).join('\n');
}

const overTime = { formatX: formatClock, xSteps: TIME_STEPS };

function lineChart(sales: readonly NamedSale[], say: Words, language: Language): Chart {
  const series = each(sales, say.waiting, ({ moments }) =>
    moments.map(({ atMs, waiting }) => ({ x: atMs, y: waiting })),
  );
  return {
    ...overTime,
    title: say.chartLine,
    about: say.chartLineAbout,
    series,
    formatY: (y) => formatCount(y, language),
    marks: soldOutMarks(sales, say),
  };
}

function insideChart(sales: readonly NamedSale[], say: Words, language: Language): Chart {
  const inside = each(sales, say.inside, ({ moments }) => moments.map(({ atMs, inside }) => ({ x: atMs, y: inside })));
  const limits = each(sales, say.limit, ({ moments }) => moments.map(({ atMs, limit }) => ({ x: atMs, y: limit })));
  return {
    ...overTime,
    title: say.chartInside,
    about: say.chartInsideAbout,
    series: [...inside, ...limits.map((one) => ({ ...one, isDashed: true }))],
    formatY: (y) => formatCount(y, language),
  };
}

function waitChart(sales: readonly NamedSale[], say: Words, language: Language): Chart {
  const of = (name: string, share: 'p50' | 'p90') =>
    each(sales, name, ({ insideByArrival }) =>
      insideByArrival.map(({ fromMs, untilMs, wait }) => ({ x: (fromMs + untilMs) / 2, y: wait?.[share] })),
    );
  return {
    ...overTime,
    title: say.chartWait,
    about: say.chartWaitAbout,
    series: [...of(say.median, 'p50'), ...of(say.p90, 'p90').map((one) => ({ ...one, isDashed: true }))],
    formatY: (y) => (y === 0 ? '0' : formatDuration(y, language)),
    ySteps: TIME_STEPS,
  };
}

function servedChart(sales: readonly NamedSale[], say: Words): Chart {
  const series = each(sales, say.served, ({ byArrival }) =>
    byArrival.map(({ fromMs, untilMs, inside, visitors }) => ({ x: (fromMs + untilMs) / 2, y: inside / visitors })),
  );
  return {
    ...overTime,
    title: say.chartServed,
    about: say.chartServedAbout,
    series,
    formatY: formatShare,
    ySteps: [0.25],
    yTop: 1,
  };
}

function seatsChart(sales: readonly NamedSale[], say: Words, language: Language): Chart {
  const series = each(sales, say.seats, ({ moments, seats }) =>
    moments.map(({ atMs, seatsLeft }) => ({
      x: atMs,
      y: seats === undefined || seatsLeft === undefined ? undefined : seats.total - seatsLeft,
    })),
  );
  return {
    ...overTime,
    title: say.chartSeats,
    about: say.chartSeatsAbout,
    series,
    formatY: (y) => formatCount(y, language),
    marks: soldOutMarks(sales, say),
  };
}

function soldOutMarks(sales: readonly NamedSale[], say: Words) {
  return sales.flatMap(({ name, summary: { soldOutAtMs } }, i) =>
    soldOutAtMs === undefined
      ? []
      : [{ x: soldOutAtMs, label: join(name, say.soldOutMark(formatClock(soldOutAtMs))), tone: TONES[i]! }],
  );
}

function each(
  sales: readonly NamedSale[],
  what: string,
  toPoints: (summary: SaleSummary) => Series['points'],
): Series[] {
  return sales.map(({ name, summary }, i) => ({ name: join(name, what), tone: TONES[i]!, points: toPoints(summary) }));
}

const join = (name: string, what: string): string => (name === '' ? what : `${name}: ${what}`);
