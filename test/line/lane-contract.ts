/** What every LineStore promises of rooms that keep a share of admissions for a lane that goes first. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RoomSettings } from '../../src/line/model/room-settings.ts';
import type { Standing } from '../../src/line/model/standing.ts';
import type { LineStore } from '../../src/line/store/line-store.ts';
import { testRoomDefaults } from '../support/rooms.ts';
import { laneHistories, playLanes } from './lane-histories.ts';
import type { StoreHarness } from './line-store-contract.ts';

const MEMBER = { priority: true };

/** `histories`: how many random ones; a store far away takes longer for each. */
export function describeLanes(name: string, createHarness: () => StoreHarness, histories: number): void {
  describe(`${name} with a priority lane`, () => {
    async function openRoom(settings: Partial<RoomSettings>) {
      const harness = createHarness();
      const store = await harness.open(testRoomDefaults());
      await store.putRoom('concert', { maxActive: 0, batchSize: 1_000, priorityShare: 20, ...settings });
      return { store, advance: harness.advance.bind(harness), ...createSteps(store) };
    }

    it(`keeps shares, orders and reported positions over ${histories} random histories`, async () => {
      const store = await createHarness().open(testRoomDefaults());
      let played = 0;
      await fc.assert(
        fc.asyncProperty(laneHistories, (history) => {
          played += 1;
          return playLanes(store, `concert-${played}`, history);
        }),
        { numRuns: histories },
      );
    }, 120_000);

    it('gives members 20 of 100 admissions while both lanes wait, never more at any time, each lane in order', async () => {
      const { store, join, admit } = await openRoom({});
      // Members come last, and many more than their share of the places.
      for (let i = 1; i <= 100; i += 1) await join(`o${i}`);
      for (let i = 1; i <= 60; i += 1) await join(`m${i}`, MEMBER);
      const admitted: string[] = [];
      while (admitted.length < 100) admitted.push(...(await admit(7)));
      const members = admitted.filter((visitor) => visitor.startsWith('m'));
      for (let count = 1; count <= 100; count += 1) {
        const so = admitted.slice(0, count).filter((visitor) => visitor.startsWith('m')).length;
        expect(so).toBe(Math.floor(count / 5));
      }
      expect(members).toEqual(Array.from({ length: members.length }, (_, i) => `m${i + 1}`));
      expect(admitted.filter((visitor) => visitor.startsWith('o'))).toEqual(
        Array.from({ length: admitted.length - members.length }, (_, i) => `o${i + 1}`),
      );
      expect((await store.findRoom('concert'))?.crowd).toMatchObject({ waiting: 160 - admitted.length });
    });

    it('gives all admissions to one lane while the other is empty, and saves up no credit', async () => {
      const { join, admit } = await openRoom({ priorityShare: 50 });
      for (let i = 1; i <= 20; i += 1) await join(`o${i}`);
      expect(await admit(10)).toEqual(Array.from({ length: 10 }, (_, i) => `o${i + 1}`));
      for (let i = 1; i <= 4; i += 1) await join(`m${i}`, MEMBER);
      expect(await admit(4)).toEqual(['o11', 'm1', 'o12', 'm2']);
    });

    it('reports the lane to its visitors and the share to all, and has no lane if the share is 0', async () => {
      const { store, join, look } = await openRoom({});
      expect(await join('o1')).toEqual(expect.not.objectContaining({ lane: expect.anything() }));
      expect(await join('m1', MEMBER)).toMatchObject({ lane: 'priority', number: 2, position: 2 });
      expect(await look('m1')).toMatchObject({ lane: 'priority' });
      expect(await look('o1')).toMatchObject({ position: 1 });
      const room = await store.findRoom('concert');
      expect(room?.crowd).toMatchObject({ waiting: 2, settings: { priorityShare: 20 } });
      await store.putRoom('concert', { priorityShare: 0 });
      expect(await join('m2', MEMBER)).toEqual(expect.not.objectContaining({ lane: expect.anything() }));
    });

    it('keeps a waiter in their lane when they become a member', async () => {
      const { store, join } = await openRoom({});
      await join('a');
      expect(await store.join('concert', 'a', MEMBER)).toMatchObject({ outcome: 'already', standing: { number: 1 } });
      expect(await join('a', MEMBER)).toEqual(expect.not.objectContaining({ lane: expect.anything() }));
    });

    it('admits members by number once the share is 0, and loses none', async () => {
      const { store, join, look, admit } = await openRoom({});
      await join('o1');
      await join('m1', MEMBER);
      await join('o2');
      await join('m2', MEMBER);
      await store.putRoom('concert', { priorityShare: 0 });
      expect(await look('m2')).toMatchObject({ position: 4, lane: 'priority' });
      expect(await join('o3')).toMatchObject({ position: 5 });
      expect(await admit(5)).toEqual(['o1', 'm1', 'o2', 'm2', 'o3']);
    });

    it('lapses silent visitors of both lanes, at no cost to others', async () => {
      const { store, join, look, admit, advance } = await openRoom({ priorityShare: 50, seenTtlMs: 10_000 });
      await join('o1');
      for (const visitor of ['m1', 'm2', 'm3']) await join(visitor, MEMBER);
      await join('o2');
      await advance(9_000);
      await store.tick('concert');
      for (const visitor of ['m3', 'o2']) await look(visitor);
      await advance(2_000);
      expect(await admit(2)).toEqual(['o2', 'm3']);
      await join('m4', MEMBER);
      await advance(10_000);
      await store.tick('concert');
      await store.sweep('concert');
      expect((await store.findRoom('concert'))?.crowd.waiting).toBe(0);
    });

    it('does not hold up a lane by a visitor of the other who has to wait longer', async () => {
      const { join, admit, advance } = await openRoom({
        admission: 'claim',
        minWaitMs: 5_000,
        priorityShare: 100,
      });
      await join('o1');
      await join('o2');
      await advance(5_000);
      await join('m1', MEMBER);
      expect(await admit(1)).toEqual(['o1']);
      await advance(5_000);
      expect(await admit(2)).toEqual(['m1', 'o2']);
    });

    it('keeps the lane when a guest becomes a user, and the better of two places', async () => {
      const { store, join, look } = await openRoom({ priorityShare: 50 });
      for (const visitor of ['o1', 'o2', 'guest']) await join(visitor);
      await join('m1', MEMBER);
      expect(await store.rename('concert', 'm1', 'm2')).toEqual({ outcome: 'renamed' });
      expect(await look('m2')).toMatchObject({ lane: 'priority', number: 4, position: 2 });
      expect(await store.rename('concert', 'guest', 'm2')).toEqual({ outcome: 'kept' });
      expect(await look('m2')).toMatchObject({ lane: 'priority', number: 4 });
      // At a share of one percent the ordinary place is the sooner one.
      await store.putRoom('concert', { priorityShare: 1 });
      expect(await store.rename('concert', 'o2', 'm2')).toEqual({ outcome: 'renamed' });
      expect(await look('m2')).toMatchObject({ number: 2, position: 2 });
      expect((await store.findRoom('concert'))?.crowd.waiting).toBe(2);
    });

    it('puts members at their number of tier 1 in their own lane, and accepts each number once', async () => {
      const { store, join, admit } = await openRoom({ priorityShare: 50 });
      await store.handOverNumbers('concert', 'first');
      expect(await store.joinWithNumber('concert', 'm9', 9, MEMBER)).toMatchObject({ standing: { lane: 'priority' } });
      await store.joinWithNumber('concert', 'o3', 3);
      await store.joinWithNumber('concert', 'm4', 4, MEMBER);
      await store.takeNumbersBack('concert', 'first', 9);
      await join('m10', MEMBER);
      expect(await store.joinWithNumber('concert', 'thief', 10)).toEqual({ outcome: 'used' });
      expect(await admit(4)).toEqual(['o3', 'm4', 'm9', 'm10']);
    });

    it('draws once for both lanes, and orders each by its lots', async () => {
      const { store, join, look, admit, advance } = await openRoom({
        priorityShare: 50,
        order: 'draw',
        opensAt: soon(),
      });
      for (let i = 1; i <= 6; i += 1) {
        await join(`o${i}`);
        expect(await join(`m${i}`, MEMBER)).toMatchObject({ state: 'lobby', lane: 'priority' });
      }
      await look('m1');
      expect(await store.rename('concert', 'm1', 'm7')).toEqual({ outcome: 'renamed' });
      expect(await look('m7')).toMatchObject({ state: 'lobby', lane: 'priority' });
      await advance(60_000);
      await drawAll(store);
      const everyone = [...'123456'].flatMap((i) => [`o${i}`, `m${i === '1' ? 7 : i}`]);
      const lots = new Map<string, number>();
      for (const visitor of everyone) {
        const standing = await look(visitor);
        if (standing.state !== 'waiting') throw new Error(`${visitor} has no number`);
        expect(standing.lane).toBe(visitor.startsWith('m') ? 'priority' : undefined);
        lots.set(visitor, standing.number);
      }
      expect([...lots.values()].sort((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, i) => i + 1));
      const byLot = (lane: string) =>
        everyone.filter((visitor) => visitor.startsWith(lane)).sort((a, b) => lots.get(a)! - lots.get(b)!);
      const [ordinary, priority] = [byLot('o'), byLot('m')];
      expect(await admit(12)).toEqual(ordinary.flatMap((visitor, i) => [visitor, priority[i]]));
    });

    it('empties both lanes when it is cleared, and continues', async () => {
      const { store, join, admit } = await openRoom({ priorityShare: 50 });
      await join('o1');
      await join('m1', MEMBER);
      expect(await store.clear('concert')).toEqual({ outcome: 'cleared', waiting: 2, inside: 0 });
      expect(await join('m1', MEMBER)).toMatchObject({ number: 3, position: 1, lane: 'priority' });
      expect(await admit(2)).toEqual(['m1']);
    });

    it('admits nobody while it is paused, not even members', async () => {
      const { store, join, admit } = await openRoom({ state: 'paused', priorityShare: 100 });
      await join('m1', MEMBER);
      expect(await admit(1)).toEqual([]);
      await store.putRoom('concert', { state: 'open' });
      expect(await admit(1)).toEqual(['m1']);
    });
  });
}

/** Uses the clock of the tests, as the opened store does. */
function soon(): string {
  return new Date(Date.UTC(2026, 0, 1) + 30_000).toISOString();
}

async function drawAll(store: LineStore): Promise<void> {
  for (;;) {
    const { outcome } = await store.draw('concert');
    if (outcome !== 'drawing') return;
  }
}

function createSteps(store: LineStore) {
  let inside = 0;
  return {
    async join(visitor: string, options: { priority?: boolean } = {}): Promise<Standing> {
      const outcome = await store.join('concert', visitor, options);
      if (!('standing' in outcome)) throw new Error(`${visitor} was refused: ${outcome.outcome}`);
      return outcome.standing;
    },
    async look(visitor: string): Promise<Standing> {
      const outcome = await store.look('concert', visitor);
      if (outcome.outcome === 'no-room') throw new Error('the room is gone');
      return outcome.standing;
    },
    /** As many more as there are, and no room left for those who come later. */
    async admit(count: number): Promise<string[]> {
      await store.putRoom('concert', { maxActive: inside + count });
      const tick = await store.tick('concert');
      if (tick.outcome === 'no-room') throw new Error('the room is gone');
      inside += tick.admitted.length;
      await store.putRoom('concert', { maxActive: inside });
      return tick.admitted.map(({ visitor }) => visitor);
    },
  };
}
