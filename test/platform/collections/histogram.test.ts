import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Histogram } from '../../../src/platform/collections/histogram.ts';

const times = fc.array(fc.double({ min: 0.2, max: 1_000_000, noNaN: true }), { minLength: 1, maxLength: 300 });
const shares = fc.constantFrom(0, 0.1, 0.5, 0.9, 0.99, 1);

function histogramOf(values: readonly number[]): Histogram {
  const histogram = new Histogram();
  for (const value of values) histogram.record(value);
  return histogram;
}

describe('a histogram', () => {
  it('has no percentile without values', () => {
    expect(new Histogram().percentile(0.5)).toBeUndefined();
  });

  it('gives percentiles that are exact to 1 %', () => {
    fc.assert(
      fc.property(times, shares, (values, share) => {
        const sorted = [...values].sort((a, b) => a - b);
        const exact = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
        expect(Math.abs(histogramOf(values).percentile(share)! / exact - 1)).toBeLessThan(0.01);
      }),
    );
  });

  it('is the same whether one process counted or several', () => {
    fc.assert(
      fc.property(times, times, shares, (some, others, share) => {
        const merged = histogramOf(some);
        merged.add(new Histogram(structuredClone(histogramOf(others).toCounts())));
        const whole = histogramOf([...some, ...others]);
        expect([merged.size, merged.percentile(share)]).toEqual([whole.size, whole.percentile(share)]);
      }),
    );
  });
});
