import { describe, expect, it } from 'vitest';
import { createBatchedLookup } from '../../../src/platform/concurrency/batched-lookup.ts';

describe('questions asked together', () => {
  it('go out as one for a turn, and as one for all that come while it is under way', async () => {
    const asked: string[][] = [];
    const answers: (() => void)[] = [];
    const ask = createBatchedLookup(async (keys) => {
      asked.push([...keys]);
      await new Promise<void>((resolve) => answers.push(resolve));
      return new Set(keys.filter((key) => key.startsWith('m')));
    });
    const first = [ask('m1'), ask('a'), ask('m1')];
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    const second = [ask('m2'), ask('b')];
    expect(asked).toEqual([['m1', 'a']]);
    answers.shift()!();
    expect(await Promise.all(first)).toEqual([true, false, true]);
    expect(asked).toEqual([
      ['m1', 'a'],
      ['m2', 'b'],
    ]);
    answers.shift()!();
    expect(await Promise.all(second)).toEqual([true, false]);
  });

  it('fail together, and the next ones are asked again', async () => {
    let isAway = true;
    const ask = createBatchedLookup(async (keys) => {
      if (isAway) throw new Error('away');
      return new Set(keys);
    });
    const outcomes = await Promise.allSettled([ask('a'), ask('b')]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    isAway = false;
    expect(await ask('a')).toBe(true);
  });

  it('are so many at a time', async () => {
    const sizes: number[] = [];
    const ask = createBatchedLookup(async (keys) => {
      sizes.push(keys.length);
      return new Set();
    });
    await Promise.all(Array.from({ length: 2_500 }, (_, i) => ask(`v${i}`)));
    expect(sizes).toEqual([1_000, 1_000, 500]);
  });
});
