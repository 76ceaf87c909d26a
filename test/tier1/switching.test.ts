/** Activating and deactivating, with a crash at every step. */
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { MemoryLineStore } from '../../src/line/store/memory/memory-line-store.ts';
import { runAdvancerOnce } from '../../src/tier1/roles/advancer.ts';
import { MemoryTier1Store } from '../../src/tier1/store/memory/memory-tier1-store.ts';
import type { Tier1Store } from '../../src/tier1/store/tier1-store.ts';
import { type LineNumbers, Switching } from '../../src/tier1/switching.ts';
import { testRoomDefaults } from '../support/rooms.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { createTestClock } from '../support/test-clock.ts';

const log = pino({ level: 'silent' });
const PACE = { batchSize: 500, cycleMs: 10_000 };

async function open() {
  const clock = createTestClock();
  const defaults = testRoomDefaults({ maxActive: 0 });
  const line = await MemoryLineStore.open({ dir: tempFolder(), defaults, tickMs: 1_000, clock, log });
  const tier1 = await MemoryTier1Store.open({ dir: tempFolder(), clock, log });
  onTestFinished(async () => {
    await line.close();
    await tier1.close();
  });
  await line.putRoom('concert', { maxActive: 0 });
  for (const visitor of ['a', 'b', 'c']) await line.join('concert', visitor);
  return { line, tier1, clock };
}

/** Fails before or after the n-th write, like a process that dies there. */
function dyingAt(step: number, when: 'before' | 'after', tier1: Tier1Store, line: LineNumbers) {
  let made = 0;
  const change = async <T>(work: () => Promise<T>): Promise<T> => {
    made += 1;
    if (made === step && when === 'before') throw new Error('died');
    const result = await work();
    if (made === step && when === 'after') throw new Error('died');
    return result;
  };
  const dyingTier1 = {
    findCounters: (eventId: string) => tier1.findCounters(eventId),
    move: (...args: Parameters<Tier1Store['move']>) => change(() => tier1.move(...args)),
  } as Tier1Store;
  return new Switching(dyingTier1, {
    handOverNumbers: (...args) => change(() => line.handOverNumbers(...args)),
    takeNumbersBack: (...args) => change(() => line.takeNumbersBack(...args)),
  });
}

const crashes = [1, 2, 3, 4].flatMap((step) => [
  { step, when: 'before' as const },
  { step, when: 'after' as const },
]);

describe('switching tier 1', () => {
  it.each(crashes)('on is finished by the next call after a crash $when step $step', async ({ step, when }) => {
    const { line, tier1 } = await open();
    await dyingAt(step, when, tier1, line)
      .activate('concert')
      .catch(() => {});
    await new Switching(tier1, line).activate('concert');
    expect(await tier1.findCounters('concert')).toMatchObject({ state: 'active', nextPosition: 3, servingCounter: 3 });
    expect(await line.join('concert', 'late')).toEqual({ outcome: 'number-required' });
  });

  it.each(crashes)('off is finished by the advancer after a crash $when step $step', async ({ step, when }) => {
    const { line, tier1 } = await open();
    const switching = new Switching(tier1, line);
    await switching.activate('concert');
    await tier1.assign('concert', ['x', 'y']);
    const outcome = await dyingAt(step, when, tier1, line)
      .deactivate('concert')
      .catch(() => undefined);
    // Died before the first write: nothing to finish.
    if (step === 1 && when === 'before') {
      expect(outcome).toBeUndefined();
      expect(await tier1.findCounters('concert')).toMatchObject({ state: 'active' });
      return;
    }
    expect(await line.join('concert', 'early')).not.toMatchObject({ standing: { number: 4 } });
    await runAdvancerOnce({ store: tier1, pace: PACE, switching });
    expect(await tier1.findCounters('concert')).toMatchObject({ state: 'inactive', nextPosition: 5 });
    const joined = await line.join('concert', 'late');
    expect(joined).toMatchObject({ outcome: 'joined' });
    expect('standing' in joined && joined.standing.state === 'waiting' && joined.standing.number).toBeGreaterThan(5);
  });

  it('on needs a room', async () => {
    const { line, tier1 } = await open();
    expect(await new Switching(tier1, line).activate('unknown')).toEqual({ outcome: 'no-room' });
    expect(await tier1.listActive()).toEqual([]);
  });

  it('twice the same way changes nothing', async () => {
    const { line, tier1 } = await open();
    const switching = new Switching(tier1, line);
    await switching.activate('concert');
    await tier1.assign('concert', ['x']);
    expect(await switching.activate('concert')).toMatchObject({ outcome: 'already', counters: { nextPosition: 4 } });
    await switching.deactivate('concert');
    expect(await switching.deactivate('concert')).toMatchObject({ outcome: 'already' });
  });

  it('on and off concurrently ends in one of the two, with the line in step', async () => {
    const { line, tier1 } = await open();
    const switching = new Switching(tier1, line);
    await Promise.allSettled(
      Array.from({ length: 20 }, (_, i) => (i % 3 ? switching.activate('concert') : switching.deactivate('concert'))),
    );
    const { state } = (await tier1.findCounters('concert'))!;
    const { outcome } = await line.join('concert', 'late');
    expect([state, outcome]).toEqual(state === 'active' ? ['active', 'number-required'] : ['inactive', 'joined']);
  });
});

describe('the advancer', () => {
  it('serves nobody while the line is too long', async () => {
    const { line, tier1, clock } = await open();
    const switching = new Switching(tier1, line);
    await switching.activate('concert');
    await tier1.assign('concert', ['x']);
    clock.advance(1_000);
    let isLong = true;
    const pass = () => runAdvancerOnce({ store: tier1, pace: PACE, switching, isLineTooLong: async () => isLong });
    await pass();
    expect(await tier1.findCounters('concert')).toMatchObject({ servingCounter: 3 });
    isLong = false;
    await pass();
    expect(await tier1.findCounters('concert')).toMatchObject({ servingCounter: 4 });
  });

  it('serves the other events when one fails, and throws its error', async () => {
    const { line, tier1, clock } = await open();
    const switching = new Switching(tier1, line);
    await line.putRoom('broken', { maxActive: 1 });
    for (const eventId of ['broken', 'concert']) await switching.activate(eventId);
    await tier1.assign('concert', ['x']);
    clock.advance(1_000);
    const isLineTooLong = async (eventId: string) => {
      if (eventId === 'broken') throw new Error('cannot be reached');
      return false;
    };
    await expect(runAdvancerOnce({ store: tier1, pace: PACE, switching, isLineTooLong })).rejects.toThrow('reached');
    expect(await tier1.findCounters('concert')).toMatchObject({ servingCounter: 4 });
  });
});
