/** Switching on and off, with a crash at every step of it. */
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runAdvancerOnce } from '../../src/edge/advancer.ts';
import type { EdgeStore } from '../../src/edge/edge-store.ts';
import { MemoryEdgeStore } from '../../src/edge/memory/memory-edge-store.ts';
import { type LineNumbers, Switching } from '../../src/edge/switching.ts';
import { MemoryLineStore } from '../../src/line/memory/memory-line-store.ts';
import { testRoomDefaults } from '../support/rooms.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { createTestClock } from '../support/test-clock.ts';

const log = pino({ level: 'silent' });
const PACE = { batchSize: 500, cycleMs: 10_000 };

async function open() {
  const clock = createTestClock();
  const defaults = testRoomDefaults({ maxActive: 0 });
  const line = await MemoryLineStore.open({ dir: tempFolder(), defaults, tickMs: 1_000, clock, log });
  const edge = await MemoryEdgeStore.open({ dir: tempFolder(), clock, log });
  onTestFinished(async () => {
    await line.close();
    await edge.close();
  });
  await line.putRoom('concert', { maxActive: 0 });
  for (const visitor of ['a', 'b', 'c']) await line.join('concert', visitor);
  return { line, edge, clock };
}

/** Stops before, or after, the so-manyth change that it makes: as a process that dies there. */
function dyingAt(step: number, when: 'before' | 'after', edge: EdgeStore, line: LineNumbers) {
  let made = 0;
  const change = async <T>(work: () => Promise<T>): Promise<T> => {
    made += 1;
    if (made === step && when === 'before') throw new Error('died');
    const result = await work();
    if (made === step && when === 'after') throw new Error('died');
    return result;
  };
  const dyingEdge = {
    findCounters: (eventId: string) => edge.findCounters(eventId),
    move: (...args: Parameters<EdgeStore['move']>) => change(() => edge.move(...args)),
  } as EdgeStore;
  return new Switching(dyingEdge, {
    handOverNumbers: (...args) => change(() => line.handOverNumbers(...args)),
    takeNumbersBack: (...args) => change(() => line.takeNumbersBack(...args)),
  });
}

const crashes = [1, 2, 3, 4].flatMap((step) => [
  { step, when: 'before' as const },
  { step, when: 'after' as const },
]);

describe('switching tier 1', () => {
  it.each(crashes)('on is finished by the next try after a crash $when step $step', async ({ step, when }) => {
    const { line, edge } = await open();
    await dyingAt(step, when, edge, line)
      .activate('concert')
      .catch(() => {});
    await new Switching(edge, line).activate('concert');
    expect(await edge.findCounters('concert')).toMatchObject({ state: 'active', nextPosition: 3, servingCounter: 3 });
    expect(await line.join('concert', 'late')).toEqual({ outcome: 'number-required' });
  });

  it.each(crashes)('off is finished by the advancer after a crash $when step $step', async ({ step, when }) => {
    const { line, edge } = await open();
    const switching = new Switching(edge, line);
    await switching.activate('concert');
    await edge.assign('concert', ['x', 'y']);
    const outcome = await dyingAt(step, when, edge, line)
      .deactivate('concert')
      .catch(() => undefined);
    // Died before anything was written down: nothing was begun, and nothing is to be finished.
    if (step === 1 && when === 'before') {
      expect(outcome).toBeUndefined();
      expect(await edge.findCounters('concert')).toMatchObject({ state: 'active' });
      return;
    }
    expect(await line.join('concert', 'early')).not.toMatchObject({ standing: { number: 4 } });
    await runAdvancerOnce({ store: edge, pace: PACE, switching });
    expect(await edge.findCounters('concert')).toMatchObject({ state: 'inactive', nextPosition: 5 });
    const joined = await line.join('concert', 'late');
    expect(joined).toMatchObject({ outcome: 'joined' });
    expect('standing' in joined && joined.standing.state === 'waiting' && joined.standing.number).toBeGreaterThan(5);
  });

  it('on needs a room', async () => {
    const { line, edge } = await open();
    expect(await new Switching(edge, line).activate('unknown')).toEqual({ outcome: 'no-room' });
    expect(await edge.listActive()).toEqual([]);
  });

  it('twice the same way changes nothing', async () => {
    const { line, edge } = await open();
    const switching = new Switching(edge, line);
    await switching.activate('concert');
    await edge.assign('concert', ['x']);
    expect(await switching.activate('concert')).toMatchObject({ outcome: 'already', counters: { nextPosition: 4 } });
    await switching.deactivate('concert');
    expect(await switching.deactivate('concert')).toMatchObject({ outcome: 'already' });
  });

  it('on and off by many at once ends in one of the two, with the line in step', async () => {
    const { line, edge } = await open();
    const switching = new Switching(edge, line);
    await Promise.allSettled(
      Array.from({ length: 20 }, (_, i) => (i % 3 ? switching.activate('concert') : switching.deactivate('concert'))),
    );
    const { state } = (await edge.findCounters('concert'))!;
    const { outcome } = await line.join('concert', 'late');
    expect([state, outcome]).toEqual(state === 'active' ? ['active', 'number-required'] : ['inactive', 'joined']);
  });
});

describe('the advancer', () => {
  it('serves nobody while the line is too long', async () => {
    const { line, edge, clock } = await open();
    const switching = new Switching(edge, line);
    await switching.activate('concert');
    await edge.assign('concert', ['x']);
    clock.advance(1_000);
    let isLong = true;
    const pass = () => runAdvancerOnce({ store: edge, pace: PACE, switching, isHeldUp: async () => isLong });
    await pass();
    expect(await edge.findCounters('concert')).toMatchObject({ servingCounter: 3 });
    isLong = false;
    await pass();
    expect(await edge.findCounters('concert')).toMatchObject({ servingCounter: 4 });
  });

  it('serves the others when one event fails, and says that it failed', async () => {
    const { line, edge, clock } = await open();
    const switching = new Switching(edge, line);
    await line.putRoom('broken', { maxActive: 1 });
    for (const eventId of ['broken', 'concert']) await switching.activate(eventId);
    await edge.assign('concert', ['x']);
    clock.advance(1_000);
    const isHeldUp = async (eventId: string) => {
      if (eventId === 'broken') throw new Error('cannot be reached');
      return false;
    };
    await expect(runAdvancerOnce({ store: edge, pace: PACE, switching, isHeldUp })).rejects.toThrow('reached');
    expect(await edge.findCounters('concert')).toMatchObject({ servingCounter: 4 });
  });
});
