/** Breaks of what waiting visitors are told: positions and waiting times. */

/** @type {readonly import('./mutant.d.mts').Mutant[]} */
export const waitingTime = [
  {
    name: 'ruler-forgets-newcomers',
    page: 'docs/reference/line.md',
    promise: "From it any process computes any visitor's rank without a store",
    file: 'src/line/estimate/ruler.ts',
    find: 'return lastRank(ruler) + number - (numbers[after - 1] ?? number - 1);',
    replace: 'return lastRank(ruler);',
    tests: [
      { file: 'test/line/ruler.test.ts', title: 'ranks a visitor who joined after the measurement behind its end' },
    ],
  },
  {
    name: 'ruler-without-tolerance',
    page: 'docs/reference/line.md',
    promise: 'exact for the first 100, within 1 % behind them.',
    file: 'src/line/estimate/ruler.ts',
    find: 'const clamped = Math.min(Math.max(likely, (1 - TOLERANCE) * high), (1 + TOLERANCE) * low);',
    replace: 'const clamped = likely + 0 * TOLERANCE;',
    tests: [{ file: 'test/line/ruler.test.ts', title: 'stays accurate if all but one between two marks left' }],
  },
  {
    name: 'estimate-although-few-are-left',
    page: 'docs/reference/line.md',
    promise: 'or the reason why there is none',
    file: 'src/line/estimate/estimate.ts',
    find: 'if (limit < settings.maxActive && position > limit - inside)',
    replace: 'if (limit < settings.maxActive && position > settings.maxActive)',
    tests: [
      { file: 'test/line/estimate.test.ts', title: 'is known only to as many visitors as the stock could serve' },
    ],
  },
];
