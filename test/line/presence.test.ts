import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextPollSeconds } from '../../src/line/estimate/estimate.ts';
import { outgrowsQuiet, quietMsAt, signEveryMsAt } from '../../src/line/model/presence.ts';

const position = fc.oneof(
  fc.integer({ min: 1, max: 200 }),
  fc.integer({ min: 1, max: 20_000 }),
  fc.integer({ min: 1, max: 1_000_000 }),
);

describe('how long a visitor may be quiet', () => {
  it('is three of their poll intervals, 10 s at least, and the time until a sign of life is passed on', () => {
    fc.assert(
      fc.property(position, fc.double({ min: 0.98, max: 1.02, noNaN: true }), (at, error) => {
        const told = Math.max(1, Math.round(at * error));
        const least = Math.max(10_000, 3_000 * nextPollSeconds(told));
        const latest = Math.min(signEveryMsAt(told), 1_000 * nextPollSeconds(told) * 1.5);
        expect(quietMsAt(at)).toBeGreaterThanOrEqual(least + latest);
      }),
    );
  });

  it('is 12 s for the first hundred', () => {
    expect(quietMsAt(1)).toBe(12_000);
    expect(quietMsAt(100)).toBe(12_000);
    expect(quietMsAt(101)).toBeGreaterThan(12_000);
  });

  it('has to be noted again only once the line ahead has grown', () => {
    fc.assert(
      fc.property(position, position, (at, later) => {
        expect(outgrowsQuiet(at, quietMsAt(at))).toBe(false);
        const needed = Math.max(10_000, 3_000 * nextPollSeconds(later)) + signEveryMsAt(later);
        if (quietMsAt(at) < needed) expect(outgrowsQuiet(later, quietMsAt(at))).toBe(true);
      }),
    );
  });
});
