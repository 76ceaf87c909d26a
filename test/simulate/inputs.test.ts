import { describe, expect, it } from 'vitest';
import { parseArrivalCurve } from '../../src/simulate/arrival-curve.ts';
import { parseShoppingTime } from '../../src/simulate/shopping-time.ts';

describe('an arrivals file', () => {
  it('may have a header, seconds, and empty lines', () => {
    expect(parseArrivalCurve('seconds,visitors\n0,100\n\n60,20\r\n120,5\n')).toEqual({
      ok: true,
      steps: [
        { fromMs: 0, untilMs: 60_000, visitors: 100 },
        { fromMs: 60_000, untilMs: 120_000, visitors: 20 },
        { fromMs: 120_000, untilMs: 180_000, visitors: 5 },
      ],
    });
  });

  it('may have ISO 8601 instants, counted from the first', () => {
    expect(parseArrivalCurve('2027-03-01T10:00:00+09:00,7\n2027-03-01T10:00:30+09:00,1')).toMatchObject({
      steps: [
        { fromMs: 0, untilMs: 30_000, visitors: 7 },
        { fromMs: 30_000, untilMs: 60_000 },
      ],
    });
  });

  it.each([
    ['', 'the file has no rows'],
    ['time,visitors', 'the file has no rows'],
    ['0,10\nsoon,5', 'line 2 ("soon,5"): the time must be seconds'],
    ['0,10\n60,many', 'line 2 ("60,many"): visitors must be a whole number'],
    ['0,10\n60,-5', 'line 2 ("60,-5"): visitors must be a whole number'],
    ['0,10\n60,1.5', 'line 2'],
    ['60,10\n60,5', 'line 2 ("60,5"): the time must be later'],
    ['0', 'line 1 ("0"): '],
    ['0,10,20', 'line 1'],
    ['0,0\n10,0', 'the file has no visitors'],
    ['0,1\n99999999,1', 'more than seven days'],
  ])('%j is refused with its line number and what is expected', (text, expected) => {
    expect(parseArrivalCurve(text)).toMatchObject({ ok: false, problem: expect.stringContaining(expected) });
  });
});

describe('a shopping time', () => {
  it('is a median or one of four distributions', () => {
    expect(parseShoppingTime('180')).toEqual({ kind: 'lognormal', median: 180, spread: 0.6 });
    expect(parseShoppingTime('lognormal:90:1')).toEqual({ kind: 'lognormal', median: 90, spread: 1 });
    expect(parseShoppingTime('exponential:90')).toEqual({ kind: 'exponential', mean: 90 });
    expect(parseShoppingTime('uniform:10:20')).toEqual({ kind: 'uniform', from: 10, to: 20 });
    expect(parseShoppingTime('fixed:0.5')).toEqual({ kind: 'fixed', seconds: 0.5 });
  });

  it.each(['', '0', '-1', 'fixed', 'fixed:', 'fixed:0', 'uniform:20:10', 'normal:1:2', 'lognormal:1:9', '1e9', 'NaN'])(
    '%j is refused',
    (text) => {
      expect(parseShoppingTime(text)).toBeUndefined();
    },
  );
});
