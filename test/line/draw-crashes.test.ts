import { join } from 'node:path';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import type { DrawResult } from '../../src/line/store/draws.ts';
import type { LineStore } from '../../src/line/store/line-store.ts';
import { MemoryLineStore } from '../../src/line/store/memory/memory-line-store.ts';
import { crashCopy } from '../support/crash-copy.ts';
import { recomputeDraw } from '../support/recompute-draw.ts';
import { testRoomDefaults } from '../support/rooms.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { createTestClock } from '../support/test-clock.ts';
import { finishDraw } from './draw-contract.ts';

const VISITORS = 2_500;

/** The files after each step are what a killed process leaves behind. */
it.each([
  ['never', undefined],
  ['all the time', 20_000],
])(
  'a draw that is cut off after any of its steps goes on after a restart to the same numbers; journal compacted %s',
  async (_, compactAboveBytes) => {
    const clock = createTestClock();
    const open = (dir: string) => {
      const options = { dir, defaults: testRoomDefaults(), tickMs: 1_000, clock, log: pino({ level: 'silent' }) };
      return MemoryLineStore.open({ ...options, ...(compactAboveBytes === undefined ? {} : { compactAboveBytes }) });
    };
    const folder = tempFolder();
    const store = await open(join(folder, 'line'));
    await store.putRoom('concert', {
      order: 'draw',
      opensAt: new Date(clock.now() + 60_000).toISOString(),
      maxActive: 0,
    });
    await Promise.all(Array.from({ length: VISITORS }, (_, i) => store.join('concert', `v${i}`)));
    clock.advance(60_000);
    const copies: string[] = [];
    for (let isDone = false; !isDone; ) {
      isDone = (await store.draw('concert')).outcome === 'drawn';
      if (isDone) await store.join('concert', 'late');
      // Steps do not wait for the disk; a tick does.
      await store.tick('concert');
      copies.push(join(folder, `copy-${copies.length}`));
      crashCopy(join(folder, 'line'), copies.at(-1)!);
    }
    const expected = await numbersOf(store);
    const result = (await store.findDraw('concert')) as DrawResult;
    await store.close();
    expect([...expected.values()].sort((a, b) => a - b)).toEqual(Array.from({ length: VISITORS }, (_, i) => i + 1));
    expect(copies.length).toBeGreaterThan(10);
    for (const copy of copies) {
      const restarted = await open(copy);
      await finishDraw(restarted, 'concert');
      expect(await numbersOf(restarted)).toEqual(expected);
      const again = (await restarted.findDraw('concert')) as DrawResult;
      expect(again).toEqual({ ...result, drawnAt: again.drawnAt });
      const list = (await restarted.readDrawEntries('concert', 0, VISITORS)).toString('hex').match(/.{32}/g)!;
      expect(recomputeDraw(again, list).size).toBe(VISITORS);
      expect(await restarted.join('concert', 'late')).toMatchObject({ standing: { number: VISITORS + 1 } });
      await restarted.close();
    }
  },
);

async function numbersOf(store: LineStore): Promise<Map<string, number>> {
  const numbers = new Map<string, number>();
  for (let i = 0; i < VISITORS; i += 1) {
    const found = await store.find('concert', `v${i}`);
    if (found.outcome === 'found' && 'number' in found.standing) numbers.set(`v${i}`, found.standing.number);
  }
  return numbers;
}
