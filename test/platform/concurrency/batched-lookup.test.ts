import { describe, expect, it } from 'vitest';
import { createBatchedLookup } from '../../../src/platform/concurrency/batched-lookup.ts';

describe('a batched lookup', () => {
  it('combines the keys of one turn, and those that arrive while a batch is under way', async () => {
    const batches: string[][] = [];
    const replies: (() => void)[] = [];
    const find = createBatchedLookup(async (keys) => {
      batches.push([...keys]);
      await new Promise<void>((resolve) => replies.push(resolve));
      return new Set(keys.filter((key) => key.startsWith('m')));
    });
    const first = [find('m1'), find('a'), find('m1')];
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    const second = [find('m2'), find('b')];
    expect(batches).toEqual([['m1', 'a']]);
    replies.shift()!();
    expect(await Promise.all(first)).toEqual([true, false, true]);
    expect(batches).toEqual([
      ['m1', 'a'],
      ['m2', 'b'],
    ]);
    replies.shift()!();
    expect(await Promise.all(second)).toEqual([true, false]);
  });

  it('rejects the whole batch on a failure, and tries again with the next one', async () => {
    let isAway = true;
    const find = createBatchedLookup(async (keys) => {
      if (isAway) throw new Error('away');
      return new Set(keys);
    });
    const outcomes = await Promise.allSettled([find('a'), find('b')]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    isAway = false;
    expect(await find('a')).toBe(true);
  });

  it('sends at most 1,000 keys at a time', async () => {
    const sizes: number[] = [];
    const find = createBatchedLookup(async (keys) => {
      sizes.push(keys.length);
      return new Set();
    });
    await Promise.all(Array.from({ length: 2_500 }, (_, i) => find(`v${i}`)));
    expect(sizes).toEqual([1_000, 1_000, 500]);
  });
});
