import { describe, expect, it } from 'vitest';
import type { Promised } from './oracle.ts';
import { explain } from './shrink.ts';
import { type RunOptions, run } from './world.ts';

/** `npm run simulate-line` sets these. */
const { SIMULATE_FROM = '1', SIMULATE_COUNT = '150' } = process.env;
const first = Number(SIMULATE_FROM);
const count = Number(SIMULATE_COUNT);
/** A seed takes some 20 ms; many run on a busy machine. */
const MS_PER_SEED = 400;

describe('the line of many processes, simulated', () => {
  it(`keeps its promises from seed ${first} to ${first + count - 1}`, {
    timeout: 60_000 + count * MS_PER_SEED,
  }, async () => {
    const startedAt = performance.now();
    let answers = 0;
    const broken: number[] = [];
    for (let seed = first; seed < first + count; seed += 1) {
      const result = await run({ seed });
      answers += result.answers;
      if (result.violations.length > 0) broken.push(seed);
    }
    const seconds = (performance.now() - startedAt) / 1000;
    console.log(`${count} seeds, ${answers} answers, ${seconds.toFixed(1)} s`);
    const reasons = await Promise.all(broken.slice(0, 3).map((seed) => explain({ seed })));
    expect(broken, reasons.join('\n\n')).toEqual([]);
  });

  it('has the same history again for the same seed', async () => {
    const [once, again] = [await run({ seed: 42, traces: true }), await run({ seed: 42, traces: true })];
    expect(once.history.length).toBeGreaterThan(100);
    expect(again.history).toEqual(once.history);
  });

  it.each<[Promised, RunOptions['parts']]>([
    ['joined is said once per place (8)', { notesAttempts: false }],
    ['a superseded master admits nobody', { fencesTicks: false }],
    ['a reply that is behind is not used', { hasFence: false }],
  ])('finds that "%s" is broken without the part that ensures it', async (promise, parts) => {
    for (let seed = 1; seed <= 300; seed += 1) {
      const { violations } = await run({ seed, parts });
      if (violations.some((violation) => violation.promise === promise)) return;
    }
    expect.fail('no seed up to 300 breaks it');
  });
});
