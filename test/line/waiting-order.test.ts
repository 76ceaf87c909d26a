import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WaitingOrder } from '../../src/line/model/waiting-order.ts';

describe('WaitingOrder', () => {
  it('agrees with a sorted array for any inserts and removals', () => {
    const number = fc.oneof(fc.integer({ min: 0, max: 600 }), fc.integer({ min: 0, max: 200_000 }));
    const step = fc.record({ insert: fc.boolean(), number });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const order = new WaitingOrder<number>();
        const naive = new Set<number>();
        for (const { insert, number } of steps) {
          if (insert) expect(order.insert(number, number)).toBe(!naive.has(number));
          else expect(order.remove(number)).toBe(naive.has(number) ? number : undefined);
          if (insert) naive.add(number);
          else naive.delete(number);
        }
        const sorted = [...naive].sort((a, b) => a - b);
        expect(order.size).toBe(sorted.length);
        expect(sorted.map((_, index) => order.at(index + 1))).toEqual(sorted);
        expect(sorted.map((number) => order.rankOf(number))).toEqual(sorted.map((_, index) => index + 1));
        expect(order.head()).toBe(sorted[0]);
      }),
      { numRuns: 500 },
    );
  });

  it('ranks numbers beyond 2^31', () => {
    const order = new WaitingOrder<string>();
    const first = 2 ** 31 + 5;
    order.insert(first + 1_000, 'b');
    order.insert(first, 'a');
    expect([order.rankOf(first), order.rankOf(first + 1_000)]).toEqual([1, 2]);
    expect(order.at(2)).toBe('b');
  });

  it('is empty before the first rank and behind the last', () => {
    const order = new WaitingOrder<string>();
    order.insert(7, 'a');
    expect([order.at(0), order.at(1), order.at(2)]).toEqual([undefined, 'a', undefined]);
  });
});
