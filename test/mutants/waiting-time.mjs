/** Breaks of what waiting visitors are told: positions and waiting times. */

/** @type {readonly import('./mutant.d.mts').Mutant[]} */
export const waitingTime = [
  {
    name: 'ruler-inexact-near-the-head',
    page: 'docs/reference/line.md',
    promise: 'exact for the first 100, within 1 % behind them.',
    file: 'src/line/estimate/ruler.ts',
    find: 'const EXACT_RANKS = 100;',
    replace: 'const EXACT_RANKS = 50;',
    tests: [{ file: 'test/line/ruler.test.ts', title: 'is exact for the first 100 and within 1 % behind them' }],
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
      { file: 'test/line/estimate.test.ts', title: 'is a reason instead of a number where no honest number exists' },
    ],
  },
];
