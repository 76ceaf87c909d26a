import { expect, it } from 'vitest';
import { createBackPressure } from '../../src/tier1/back-pressure.ts';

it('holds tier 1 back while more visitors wait than allowed', async () => {
  let waiting = 101;
  const isLineTooLong = createBackPressure({ maxLine: 100, countWaiting: async () => waiting })!;
  expect(await isLineTooLong('concert')).toBe(true);
  waiting = 100;
  expect(await isLineTooLong('concert')).toBe(false);
});

it('does not ask the line without a limit', () => {
  expect(createBackPressure({ maxLine: 0, countWaiting: () => Promise.reject(new Error('asked')) })).toBeUndefined();
});
