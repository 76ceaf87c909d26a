import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EXACT_RANKS, measure, ranksToMeasure, readRank } from '../../src/line/estimate/ruler.ts';
import { WaitingOrder } from '../../src/line/model/waiting-order.ts';
import { thorough } from '../support/thorough.ts';

describe('the ruler', () => {
  it('is exact for the first 100 and within 1 % behind them, no matter who left', () => {
    const stretch = fc.record({
      length: fc.integer({ min: 1, max: 3_000 }),
      keepEvery: fc.integer({ min: 1, max: 60 }),
    });
    fc.assert(
      fc.property(fc.array(stretch, { minLength: 1, maxLength: 12 }), (stretches) => expectFaithful(lineOf(stretches))),
      { numRuns: 100 * thorough },
    );
  });

  it('stays accurate if all but one between two marks left', () => {
    const ranks = ranksToMeasure(50_000);
    for (const side of ['first', 'last'] as const) {
      const numbers = ranks.flatMap((rank, i) => {
        const next = ranks[i + 1];
        if (next === undefined || next - rank < 2) return [rank * 1_000];
        const others = Array.from({ length: next - rank - 1 }, (_, k) =>
          side === 'first' ? rank * 1_000 + 1 + k : next * 1_000 - 1 - k,
        );
        return [rank * 1_000, ...others.sort((a, b) => a - b)];
      });
      expectFaithful(numbers);
    }
  });

  it('needs as many marks for ten thousand as for a million', () => {
    const [short, long] = [ranksToMeasure(10_000).length, ranksToMeasure(1_000_000).length];
    expect(Math.abs(long - short) / long).toBeLessThan(0.2);
    expect(long).toBeLessThan(600);
  });

  it('ranks a visitor who joined after the measurement behind its end', () => {
    const ruler = measure(orderOf([10, 20, 30]));
    expect(readRank(ruler, 31)).toBe(4);
    expect(readRank(ruler, 33)).toBe(6);
    expect(readRank({ numbers: [], ranks: [] }, 5)).toBe(1);
  });
});

function lineOf(stretches: { length: number; keepEvery: number }[]): number[] {
  let number = 0;
  return stretches.flatMap(({ length, keepEvery }) =>
    Array.from({ length }, () => {
      number += keepEvery;
      return number;
    }),
  );
}

function orderOf(numbers: number[]): WaitingOrder<{ number: number }> {
  const order = new WaitingOrder<{ number: number }>();
  for (const number of numbers) order.insert(number, { number });
  return order;
}

function expectFaithful(numbers: number[]): void {
  const ruler = measure(orderOf(numbers));
  for (const [index, number] of numbers.entries()) {
    const rank = index + 1;
    const read = readRank(ruler, number);
    const allowed = rank <= EXACT_RANKS ? 0 : rank * 0.01;
    if (Math.abs(read - rank) > allowed) expect.fail(`rank ${rank} of ${numbers.length} was read as ${read}`);
  }
}
