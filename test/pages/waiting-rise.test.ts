import { describe, expect, it } from 'vitest';
import { type Rise, trackRise } from '../../src/pages/waiting/line/rise.ts';

describe('whether the wait of a visitor has risen', () => {
  const follow = (...waits: [ahead: number, seconds: number | null][]) =>
    waits.reduce<Rise | undefined>(
      (rise, [peopleAhead, estimatedWait]) => trackRise(rise, { number: 7, peopleAhead, estimatedWait }),
      undefined,
    )?.hasRisen;

  it('is no while it falls or stays', () => {
    expect(follow([900, 2_000])).toBe(false);
    expect(follow([900, 2_000], [890, 1_990], [890, 1_990])).toBe(false);
    expect(follow([900, null], [890, 1_990])).toBe(false);
  });

  it('is yes while it is above the lowest shown, and no once it is back', () => {
    expect(follow([900, 2_000], [900, 4_000])).toBe(true);
    expect(follow([900, 2_000], [900, 4_000], [400, 1_500])).toBe(false);
    expect(follow([900, 2_000], [900, null], [900, 2_600])).toBe(true);
    expect(follow([10, 100], [14, 101])).toBe(true);
  });

  it('starts over with another number', () => {
    const first = trackRise(undefined, { number: 7, peopleAhead: 10, estimatedWait: 100 });
    expect(trackRise(first, { number: 9, peopleAhead: 30, estimatedWait: 400 })?.hasRisen).toBe(false);
  });
});
