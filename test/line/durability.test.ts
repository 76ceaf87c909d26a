import fc from 'fast-check';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import type { LineStore } from '../../src/line/store/line-store.ts';
import { MemoryLineStore } from '../../src/line/store/memory/memory-line-store.ts';
import { crashCopy } from '../support/crash-copy.ts';
import { testRoomDefaults } from '../support/rooms.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { createTestClock, type TestClock } from '../support/test-clock.ts';

function openStore(dir: string, clock: TestClock, compactAboveBytes?: number): Promise<MemoryLineStore> {
  const log = pino({ level: 'silent' });
  const options = compactAboveBytes === undefined ? {} : { compactAboveBytes };
  return MemoryLineStore.open({ dir, defaults: testRoomDefaults(), tickMs: 1_000, clock, log, ...options });
}

async function standings(store: LineStore, visitors: string[]) {
  return Promise.all(visitors.map((visitor) => store.find('concert', visitor)));
}

describe('the memory store', () => {
  it('answers only when the change is on disk', async () => {
    const dir = tempFolder();
    const clock = createTestClock();
    const visitors = ['a', 'b', 'c'];
    const store = await openStore(dir, clock);
    const steps = [
      () => store.putRoom('concert', { maxActive: 1 }),
      () => store.join('concert', 'a'),
      () => store.join('concert', 'b'),
      () => store.join('concert', 'c', { request: { key: 'k', fingerprint: 'f' } }),
      () => store.leave('concert', 'a'),
      () => store.tick('concert'),
      () => store.enter('concert', 'b'),
      () => store.rename('concert', 'c', 'a'),
      () => store.clear('concert'),
    ];
    for (const step of steps) {
      await step();
      const copy = tempFolder();
      crashCopy(dir, copy);
      const survivor = await openStore(copy, clock);
      expect(await survivor.findRoom('concert')).toBeDefined();
      expect(await placesOf(survivor, visitors)).toEqual(await placesOf(store, visitors));
      await survivor.close();
    }
    await store.close();
  });
});

/** The state and number of each visitor. */
async function placesOf(store: LineStore, visitors: string[]) {
  const found = await standings(store, visitors);
  return found.map((outcome) => {
    if (outcome.outcome !== 'found') return outcome.outcome;
    const { standing } = outcome;
    return [standing.state, 'number' in standing ? standing.number : undefined];
  });
}

describe('the memory store after a restart', () => {
  it('has the same rooms, settings, places, numbers and token ids', async () => {
    const dir = tempFolder();
    const clock = createTestClock();
    const visitors = ['a', 'b', 'c', 'd', 'e'];
    const store = await openStore(dir, clock);
    await store.putRoom('concert', { maxActive: 2, message: { ko: '곧' } });
    for (const visitor of visitors) await store.join('concert', visitor);
    await store.leave('concert', 'b');
    await store.tick('concert');
    await store.putStock('concert', { left: 7, held: 0, holders: [], asOf: 5 });
    await store.rename('concert', 'a', 'user-a');
    await store.rename('concert', 'd', 'e');
    visitors.push('user-a');
    const before = await standings(store, visitors);
    const roomBefore = await store.findRoom('concert');
    await store.close();

    const reopened = await openStore(dir, clock);
    // The pace is not journaled: the first tick measures it again, from how long visitors have been inside. Nor are the
    // totals: they are counted from the start of the process.
    await reopened.tick('concert');
    expect(await standings(reopened, visitors)).toEqual(before);
    expect(await reopened.findRoom('concert')).toEqual({ ...roomBefore, totals: { admitted: 0, noShows: 0 } });
    await reopened.close();
  });

  it('has the same visitors away, also after a kill and a compaction, and admits them first when they are back', async () => {
    let dir = tempFolder();
    const clock = createTestClock();
    let store = await openStore(dir, clock, 2_000);
    const visitors = ['a', 'b', 'c', 'd'];
    const live = async (seconds: number, present: string[]) => {
      const admitted: string[] = [];
      for (let second = 0; second < seconds; second += 1) {
        clock.advance(1_000);
        for (const visitor of present) await store.look('concert', visitor);
        const tick = await store.tick('concert');
        if (tick.outcome === 'ticked') admitted.push(...tick.admitted.map(({ visitor }) => visitor));
      }
      return admitted;
    };
    const reopen = async () => {
      const copy = tempFolder();
      crashCopy(dir, copy);
      await store.close();
      dir = copy;
      store = await openStore(dir, clock, 2_000);
    };
    await store.putRoom('concert', { maxActive: 0 });
    for (const visitor of visitors) await store.join('concert', visitor);
    await live(13, ['c', 'd']);
    await store.putRoom('concert', { maxActive: 1 });
    expect(await live(1, ['c', 'd'])).toEqual(['c']);
    const places = async () => (await standings(store, visitors)).map((found) => 'standing' in found && found.standing);
    const before = await places();
    await reopen();
    expect(await places()).toEqual(before);
    expect(await store.findRoom('concert')).toMatchObject({ crowd: { waiting: 3, away: 2 } });
    await store.look('concert', 'b');
    await reopen();
    expect(await store.findRoom('concert')).toMatchObject({ crowd: { waiting: 3, away: 1 } });
    await store.look('concert', 'a');
    // Enough records for a compaction.
    for (let i = 0; i < 100; i += 1) await store.join('concert', `later-${i}`);
    await reopen();
    await store.putRoom('concert', { maxActive: 4 });
    expect(await live(1, [])).toEqual(['a', 'b', 'd']);
    await store.close();
  });

  it('has the same lanes and continues their turns, also after a kill', async () => {
    let dir = tempFolder();
    const clock = createTestClock();
    let store = await openStore(dir, clock, 2_000);
    await store.putRoom('concert', { maxActive: 0, priorityShare: 40 });
    for (let i = 1; i <= 12; i += 1) {
      await store.join('concert', `o${i}`);
      await store.join('concert', `m${i}`, { priority: true });
    }
    const admitted: string[] = [];
    for (let inside = 1; inside <= 10; inside += 1) {
      await store.putRoom('concert', { maxActive: inside });
      const tick = await store.tick('concert');
      if (tick.outcome === 'ticked') admitted.push(...tick.admitted.map(({ visitor }) => visitor));
      const before = await standings(store, ['o11', 'o12', 'm11', 'm12']);
      // What is on disk when the answer was given is all that a killed process leaves.
      const left = tempFolder();
      crashCopy(dir, left);
      await store.close();
      dir = inside % 2 === 0 ? left : dir;
      store = await openStore(dir, clock, 2_000);
      const after = await standings(store, ['o11', 'o12', 'm11', 'm12']);
      expect(after.map((each) => 'standing' in each && each.standing)).toEqual(
        before.map((each) => 'standing' in each && each.standing),
      );
    }
    await store.close();
    expect(admitted).toEqual(['o1', 'o2', 'm1', 'o3', 'm2', 'o4', 'o5', 'm3', 'o6', 'm4']);
  });

  it('costs no visitor anything for the time it was down', async () => {
    const dir = tempFolder();
    const clock = createTestClock();
    const store = await openStore(dir, clock);
    await store.putRoom('concert', { maxActive: 2 });
    for (const visitor of ['a', 'b', 'c', 'd']) await store.join('concert', visitor);
    await store.leave('concert', 'b');
    await store.tick('concert');
    await store.close();

    clock.advance(30 * 60_000);
    const reopened = await openStore(dir, clock);
    await reopened.tick('concert');
    await reopened.sweep('concert');
    const [a, , c, d] = await standings(reopened, ['a', 'b', 'c', 'd']);
    expect(a).toMatchObject({ standing: { state: 'active' } });
    expect(c).toMatchObject({ standing: { state: 'admitted' } });
    expect(d).toMatchObject({ standing: { state: 'waiting', position: 1 } });
    await reopened.close();
  });

  it('remembers request keys, also from a snapshot, and no longer than their time', async () => {
    const dir = tempFolder();
    const clock = createTestClock();
    const request = { key: 'k', fingerprint: 'f' };
    const store = await openStore(dir, clock);
    await store.putRoom('concert', { maxActive: 0 });
    await store.join('concert', 'a', { request });
    await store.close();

    const reopened = await openStore(dir, clock, 1);
    expect(await reopened.join('concert', 'a', { request })).toMatchObject({ outcome: 'duplicate' });
    await reopened.join('concert', 'b', { request });
    await reopened.close();

    clock.advance(299_999);
    const again = await openStore(dir, clock);
    expect(await again.join('concert', 'a', { request })).toMatchObject({
      outcome: 'duplicate',
      standing: { number: 1 },
    });
    const other = { key: 'k', fingerprint: 'g' };
    expect(await again.join('concert', 'b', { request: other })).toEqual({ outcome: 'key-reused' });
    clock.advance(1);
    expect(await again.join('concert', 'b', { request: other })).toMatchObject({
      outcome: 'already',
      standing: { number: 2 },
    });
    await again.close();
  });

  it('keeps ready visitors ready, and lets them enter', async () => {
    const dir = tempFolder();
    const clock = createTestClock();
    const store = await openStore(dir, clock);
    await store.putRoom('concert', { admission: 'claim' });
    await store.join('concert', 'a');
    await store.join('concert', 'b');
    await store.enter('concert', 'a');
    await store.close();

    const reopened = await openStore(dir, clock);
    const [a, b] = await standings(reopened, ['a', 'b']);
    expect(a).toMatchObject({ standing: { state: 'active' } });
    expect(b).toMatchObject({ standing: { state: 'admitted' } });
    expect(await reopened.enter('concert', 'b')).toMatchObject({ outcome: 'granted' });
    await reopened.close();
  });

  it('gives the same outcomes with and without compactions and restarts in between', async () => {
    const command = fc.tuple(
      fc.constantFrom('join', 'leave', 'look', 'tick', 'restart'),
      fc.integer({ min: 0, max: 9 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 5, maxLength: 60 }), async (commands) => {
        const [plainDir, dir, clock] = [tempFolder(), tempFolder(), createTestClock()];
        const plain = await openStore(plainDir, clock);
        let restarted = await openStore(dir, clock, 200);
        const settings = { maxActive: 3, priorityShare: 40 };
        for (const store of [plain, restarted]) await store.putRoom('concert', settings);
        for (const [name, who] of commands) {
          if (name === 'restart') {
            await restarted.close();
            restarted = await openStore(dir, clock, 200);
          } else {
            const outcomes = [];
            for (const store of [plain, restarted]) outcomes.push(await perform(store, name, `v${who}`));
            expect(outcomes[1]).toEqual(outcomes[0]);
          }
        }
        await plain.close();
        await restarted.close();
      }),
      { numRuns: 60 },
    );
  });
});

/** The outcome without what two stores cannot share: the room's random epoch, and the history of the pace. */
async function perform(store: LineStore, name: 'join' | 'leave' | 'look' | 'tick' | string, visitor: string) {
  if (name === 'join') return comparable(await store.join('concert', visitor, { priority: visitor > 'v4' }));
  if (name === 'look') return comparable(await store.look('concert', visitor));
  if (name === 'leave') return store.leave('concert', visitor);
  const tick = await store.tick('concert');
  return tick.outcome === 'ticked' ? tick.admitted : tick;
}

function comparable(outcome: object) {
  if (!('standing' in outcome)) return outcome;
  const { tokenId, ...standing } = outcome.standing as Record<string, unknown>;
  return { ...standing, hasToken: tokenId !== undefined };
}
