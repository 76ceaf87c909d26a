/** `fairline simulate`. */
import { readConfig } from '../config/read-config.ts';
import { OptionsError, option, parseOptions, readOptions } from '../platform/settings/options.ts';
import { text } from '../platform/settings/settings.ts';
import { toSentences } from '../report/advice.ts';
import { formatClock, formatCount } from '../report/format.ts';
import { toFigures } from '../report/sale-figures.ts';
import { type ReportedSale, renderSalePage } from '../report/sale-page.ts';
import { drawTextChart } from '../report/text-chart.ts';
import { type Language, words } from '../report/words.ts';
import { makeCrowd } from '../simulate/crowd.ts';
import { recommend } from '../simulate/recommend.ts';
import { type SaleMoment, type SalePlan, simulateSale } from '../simulate/sale.ts';
import { summarize } from '../simulate/summary.ts';
import type { Command, Terminal } from './command.ts';
import { createProgress, languageOf, reportOptions, writeReport } from './report-options.ts';
import { describeValues, type Given, readGiven, type SaleValues, saleOptions, toCrowdPlan } from './sale-options.ts';
import { readVersion } from './version.ts';

const MINUTE_MS = 60_000;
const TICK_MS = 1_000;
const otherSale = { default: undefined, pattern: /^.+$/, allowed: 'a JSON file of options, or NAME=VALUE,NAME=VALUE' };

const options = {
  ...saleOptions,
  plan: option(
    'FILE',
    text({
      ...otherSale,
      about: 'File with options, such as {"limit": 200, "seats": 5000}. Options on the command line win.',
    }),
  ),
  compare: option(
    'OTHER',
    text({ ...otherSale, about: 'Simulate a second sale that differs in these options, and compare.' }),
  ),
  ...reportOptions,
};

export const simulate: Command = {
  summary: 'simulate a sale: waiting times and a recommended limit',
  usage: ['simulate [options]'],
  about: `Runs a whole sale in virtual time with the real admission rules and simulated visitors. Reports how long
visitors wait, how many are admitted, when the sale sells out, and which limit to set. Starts no server and
uses no network. Write shares as 0.2 or 20%.`,
  options,
  examples: [
    'fairline simulate --visitors 300000 --seats 10000 --limit 1000 --report sale.html',
    'fairline simulate --arrivals last-sale.csv --shopping 240 --drop-out 20% --no-show 3%',
    'fairline simulate --limit 500 --change 10:800 --change 30:paused --change 35:open',
    'fairline simulate --limit 500 --compare limit=1000 --report compared.html',
  ],
  async run(args, terminal) {
    const { values, given } = readOptions(options, args);
    const language = languageOf(values);
    const first: Given = {
      ...(values.plan === undefined ? {} : readGiven('plan', values.plan, saleOptions)),
      ...ofSale(given),
    };
    const second =
      values.compare === undefined ? undefined : { ...first, ...readGiven('compare', values.compare, saleOptions) };
    const show = { terminal, isProgressForced: values.progress, language };
    const one = runSale(first, second === undefined ? '' : 'A', show);
    const sales: readonly [ReportedSale] | readonly [ReportedSale, ReportedSale] =
      second === undefined ? [one] : [one, runSale(second, 'B', show)];
    const seed = one.settings.seed!;
    if (values.report !== undefined) {
      writeReport(values.report, renderSalePage({ language, version: readVersion(), seed, sales }));
    }
    if (values.json) terminal.print(JSON.stringify({ version: readVersion(), sales }, null, 2));
    else for (const sale of sales) terminal.print(toText(sale, language, terminal.columns));
    return 0;
  },
};

function ofSale(given: Given): Given {
  return Object.fromEntries(Object.entries(given).filter(([name]) => Object.hasOwn(saleOptions, name)));
}

interface Show {
  terminal: Terminal;
  isProgressForced: boolean;
  language: Language;
}

function runSale(given: Given, name: string, { terminal, isProgressForced, language }: Show): ReportedSale {
  const values = parseOptions(saleOptions, given);
  const plan = toPlan(values);
  const progress = createProgress(terminal, isProgressForced);
  const moments: SaleMoment[] = [];
  const visits = simulateSale(plan, (moment) => {
    moments.push(moment);
    progress.show(shareDone(moment, plan), `${words[language].simulating} ${name} ${formatClock(moment.atMs)}`);
  });
  progress.end();
  const summary = summarize({ visits, moments, seatsTotal: plan.seats?.total });
  const advice = recommend(plan, summary, values['goal-minutes'] * MINUTE_MS);
  const settings = { ...describeValues(saleOptions, given), visitors: String(plan.visitors.length) };
  return { name, summary, advice, settings };
}

function toPlan(values: SaleValues): SalePlan {
  const endsAtMs = values.minutes * MINUTE_MS;
  const late = values.change.find(({ atMs }) => atMs > endsAtMs);
  if (late !== undefined) {
    throw new OptionsError(`--change ${late.atMs / MINUTE_MS}: expected a minute up to --minutes (${values.minutes})`);
  }
  const { roomDefaults } = readConfig({}).line;
  return {
    settings: {
      ...roomDefaults,
      maxActive: values.limit,
      ...(values.rate === undefined ? {} : { admitPerSecond: values.rate }),
    },
    tickMs: TICK_MS,
    visitors: makeCrowd(toCrowdPlan(values, { lastsMs: endsAtMs, buyShare: values.buying })),
    changes: values.change,
    ...(values.seats === undefined ? {} : { seats: { total: values.seats, perBuyer: values['seats-per-buyer'] } }),
    sampleEvery: Number.MAX_SAFE_INTEGER,
    endsAtMs,
  };
}

function shareDone({ atMs, seatsLeft }: SaleMoment, { endsAtMs, seats }: SalePlan): number {
  const bySeats = seats === undefined || seatsLeft === undefined ? 0 : 1 - seatsLeft / seats.total;
  return Math.max(bySeats, endsAtMs === 0 ? 1 : atMs / endsAtMs);
}

function toText({ name, summary, advice }: ReportedSale, language: Language, columns: number): string {
  const figures = toFigures(summary, language);
  const width = Math.max(...figures.map((figure) => widthOf(figure.name)));
  const rows = figures.map((figure) => `  ${figure.name}${' '.repeat(width - widthOf(figure.name))}  ${figure.value}`);
  const chart = drawTextChart({
    title: words[language].chartLine,
    points: summary.moments.map(({ atMs, waiting }) => ({ x: atMs, y: waiting })),
    formatX: formatClock,
    formatY: (y) => formatCount(y, language),
    columns,
  });
  const sentences = toSentences(advice, summary, language).map((sentence) => `  ${sentence}`);
  return [...(name === '' ? [] : [name]), ...rows, '', chart, '', words[language].advice, ...sentences, ''].join('\n');
}

/** Hangul characters are two columns wide. */
function widthOf(text: string): number {
  return [...text].reduce((width, char) => width + (/[\u1100-\u11ff\u3000-\u9fff\uac00-\ud7af]/.test(char) ? 2 : 1), 0);
}
