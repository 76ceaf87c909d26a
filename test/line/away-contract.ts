/** What every LineStore promises about waiting visitors who are not heard from: they hold nobody up and lose nothing. */
import { describe, expect, it } from 'vitest';
import type { RoomSettings } from '../../src/line/model/room-settings.ts';
import type { Standing } from '../../src/line/model/standing.ts';
import type { LineStore } from '../../src/line/store/line-store.ts';
import { testRoomDefaults } from '../support/rooms.ts';
import type { StoreHarness } from './line-store-contract.ts';

const SEVEN = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
/** How long a visitor near the head may be quiet: see src/line/model/presence.ts. */
const QUIET_SECONDS = 12;

export function describeAway(name: string, createHarness: () => StoreHarness): void {
  describe(`${name} and visitors who are not heard from`, () => {
    async function openRoom(settings: Partial<RoomSettings> = {}) {
      const harness = createHarness();
      const store = await harness.open(testRoomDefaults());
      await store.putRoom('concert', { maxActive: 0, ...settings });
      // Admission runs already: otherwise quiet time counts from the first tick.
      await store.tick('concert');
      return { store, advance: harness.advance.bind(harness), ...createSteps(store, harness) };
    }

    it('admits the eighth within 3 s at 1 a second, and the seven before others when they are back (2, 5)', async () => {
      const { store, join, live, numberOf, look } = await openRoom({
        maxActive: 100,
        admitPerSecond: 1,
        state: 'paused',
      });
      for (const visitor of [...SEVEN, 'h', 'i']) await join(visitor);
      const numbers = await Promise.all(SEVEN.map(numberOf));
      expect(await live(QUIET_SECONDS, ['h', 'i'])).toEqual([]);
      await store.putRoom('concert', { state: 'open' });
      expect(await live(1, ['h', 'i'])).toEqual(['h']);
      expect(await store.findRoom('concert')).toMatchObject({ crowd: { waiting: 8, away: 7 } });
      expect(await Promise.all(SEVEN.map(numberOf))).toEqual(numbers);
      await join('j');
      expect(await look('j')).toMatchObject({ position: 2 });
      for (const visitor of SEVEN.toReversed()) await look(visitor);
      expect(await look('j')).toMatchObject({ position: 9 });
      expect(await store.findRoom('concert')).toMatchObject({ crowd: { waiting: 9, away: 0 } });
      expect(await live(9, [...SEVEN, 'i', 'j'])).toEqual([...SEVEN, 'i', 'j']);
    });

    it('passes a visitor over after 12 s, and not a moment before', async () => {
      const { store, join, advance, live } = await openRoom();
      await join('a');
      await join('b');
      await live(QUIET_SECONDS - 1, ['b']);
      await advance(999);
      await store.putRoom('concert', { maxActive: 1 });
      expect(await store.tick('concert')).toMatchObject({ admitted: [{ visitor: 'a' }], tally: { passedOver: 0 } });
      const other = await openRoom();
      await other.join('a');
      await other.join('b');
      await other.live(QUIET_SECONDS, ['b']);
      await other.store.putRoom('concert', { maxActive: 1 });
      const tick = await other.store.tick('concert');
      expect(tick).toMatchObject({ admitted: [{ visitor: 'b' }], tally: { passedOver: 1, returned: 0 } });
    });

    it('expects fewer signs of life of visitors far from the head, who poll less often', async () => {
      for (const [seconds, away] of [
        [12, 100],
        [20, 100],
        [21, 900],
        [25, 900],
        [26, 920],
      ] as const) {
        const { store, join, live } = await openRoom({ batchSize: 10_000 });
        await Promise.all(Array.from({ length: 920 }, (_, i) => join(`v${i}`)));
        await live(seconds, []);
        await store.putRoom('concert', { maxActive: 10_000 });
        await tickAll(store);
        expect((await store.findRoom('concert'))?.crowd, `after ${seconds} s`).toMatchObject({
          away,
          admitted: 920 - away,
        });
      }
    });

    it('admits nobody while all are away; the first to return gets the slot at the next tick (5)', async () => {
      const { store, join, live, look } = await openRoom();
      for (const visitor of ['a', 'b', 'c']) await join(visitor);
      await live(QUIET_SECONDS, []);
      await store.putRoom('concert', { maxActive: 1 });
      expect(await live(3, [])).toEqual([]);
      expect(await store.findRoom('concert')).toMatchObject({ crowd: { waiting: 3, away: 3, admitted: 0 } });
      expect(await look('c')).toMatchObject({ state: 'waiting', number: 3, position: 1 });
      expect(await live(1, [])).toEqual(['c']);
    });

    it('admits a newcomer at once while all who wait are away', async () => {
      const { store, join, live } = await openRoom();
      await join('a');
      await live(QUIET_SECONDS, []);
      await store.putRoom('concert', { maxActive: 2 });
      await live(1, []);
      expect(await join('b')).toMatchObject({ state: 'active' });
      expect(await join('a')).toMatchObject({ state: 'waiting', number: 1, position: 1 });
      expect(await join('c')).toMatchObject({ state: 'waiting', position: 2 });
      expect(await live(1, [])).toEqual(['a']);
    });

    it('shows a visitor who is away the position that coming back brings, and says when one came back', async () => {
      const { store, join, live, look } = await openRoom();
      for (const visitor of ['a', 'b', 'c', 'd']) await join(visitor);
      await live(QUIET_SECONDS, ['c', 'd']);
      await store.putRoom('concert', { maxActive: 1 });
      expect(await live(1, ['d'])).toEqual(['c']);
      expect(await look('d')).toMatchObject({ position: 1 });
      expect(await store.find('concert', 'b')).toMatchObject({
        standing: { number: 2, position: 1 },
        crowd: { away: 2, returnedAt: 0 },
      });
      const back = await store.stay('concert', 'b');
      expect(back).toMatchObject({ standing: { position: 1 }, crowd: { away: 1 } });
      const { crowd, standing } = (await store.find('concert', 'd')) as {
        crowd: { returnedAt: number };
        standing: Standing;
      };
      expect(standing).toMatchObject({ position: 2 });
      expect(crowd.returnedAt).toBeGreaterThan(0);
      expect((await store.tick('concert')) as object).toMatchObject({
        tally: { returned: 1 },
        pulse: { crowd: { away: 1, returnedAt: crowd.returnedAt } },
      });
    });

    it.each(['leave', 'clear', 'sweep'] as const)('ends the place of a visitor who is away by %s (4)', async (verb) => {
      const { store, join, live, advance, look } = await openRoom({ seenTtlMs: 60_000 });
      for (const visitor of ['a', 'b']) await join(visitor);
      await live(QUIET_SECONDS, []);
      await store.putRoom('concert', { maxActive: 1 });
      await live(1, []);
      if (verb === 'leave') expect(await store.leave('concert', 'a')).toEqual({ outcome: 'left', from: 'waiting' });
      if (verb === 'clear') expect(await store.clear('concert')).toMatchObject({ waiting: 2 });
      if (verb === 'sweep') {
        await live(20, ['b']);
        await advance(27_000);
        await store.sweep('concert');
      }
      expect(await look('a')).toEqual({ state: 'absent' });
      expect((await store.findRoom('concert'))?.crowd).toMatchObject({ waiting: verb === 'leave' ? 1 : 0 });
    });

    it('lets a place lapse as before where seenTtlMs is shorter', async () => {
      const { store, join, live } = await openRoom({ seenTtlMs: 5_000 });
      for (const visitor of ['a', 'b']) await join(visitor);
      await live(QUIET_SECONDS, ['b']);
      await store.putRoom('concert', { maxActive: 1 });
      const tick = await store.tick('concert');
      expect(tick).toMatchObject({ admitted: [{ visitor: 'b' }], tally: { lapsed: 1, passedOver: 0 } });
    });

    it('keeps the place of a guest who is away when they sign in', async () => {
      const { store, join, live, look } = await openRoom();
      for (const visitor of ['guest', 'b']) await join(visitor);
      await live(QUIET_SECONDS, []);
      await store.putRoom('concert', { maxActive: 1 });
      await live(1, []);
      expect(await store.rename('concert', 'guest', 'user')).toEqual({ outcome: 'renamed' });
      expect(await look('user')).toMatchObject({ number: 1, position: 1 });
      expect(await look('guest')).toEqual({ state: 'absent' });
      expect(await live(1, [])).toEqual(['user']);
    });

    it('gives a closed connection the same time to come back', async () => {
      const { store, join, live } = await openRoom({ seenTtlMs: 600_000, disconnectGraceMs: 30_000 });
      for (const visitor of ['a', 'b']) await join(visitor);
      await live(5, ['a', 'b']);
      expect(await store.disconnect('concert', 'a')).toEqual({ outcome: 'kept' });
      await live(QUIET_SECONDS - 2, ['b']);
      await store.putRoom('concert', { maxActive: 1 });
      expect(await live(1, ['b'])).toEqual(['a']);
    });

    it('does not count time without ticks as absence', async () => {
      const { store, join, advance, live } = await openRoom();
      for (const visitor of ['a', 'b']) await join(visitor);
      await live(2, []);
      await advance(20_000);
      await store.look('concert', 'b');
      await store.putRoom('concert', { maxActive: 1 });
      expect(await live(1, [])).toEqual(['a']);
    });

    it('passes over quiet heads of both lanes without charging credit, and lets them return to their lane (11)', async () => {
      const { store, join, live, look } = await openRoom({ priorityShare: 50 });
      for (const visitor of ['a', 'b', 'c', 'd']) await join(visitor);
      for (const visitor of ['M', 'N', 'O']) await store.join('concert', visitor, { priority: true });
      const present = ['c', 'd', 'N', 'O'];
      await live(QUIET_SECONDS, present);
      await store.putRoom('concert', { maxActive: 2 });
      // The first of two turns is the ordinary lane's, the second the priority lane's: as if the absent were not there.
      expect(await live(1, present)).toEqual(['c', 'N']);
      expect(await look('M')).toMatchObject({ lane: 'priority', number: 5 });
      expect(await look('a')).toMatchObject({ number: 1 });
      await store.putRoom('concert', { maxActive: 5 });
      expect(await live(1, ['a', 'd', 'M', 'O'])).toEqual(['a', 'M', 'd']);
      expect(await store.findRoom('concert')).toMatchObject({ crowd: { waiting: 2, away: 1 } });
    });

    it('passes over a visitor who is away of a claim room, who is ready once they are back', async () => {
      const { store, join, live } = await openRoom({ admission: 'claim', claimTtlMs: 30_000 });
      for (const visitor of ['a', 'b']) await join(visitor);
      await live(QUIET_SECONDS, ['b']);
      await store.putRoom('concert', { maxActive: 1 });
      expect(await live(1, ['b'])).toEqual(['b']);
      expect(await store.enter('concert', 'b')).toMatchObject({ outcome: 'granted' });
      await store.leave('concert', 'b');
      expect(await store.enter('concert', 'a')).toMatchObject({ outcome: 'not-ready', standing: { position: 1 } });
      expect(await live(1, [])).toEqual(['a']);
    });

    it('keeps numbers of tier 1 that are away, early ones too, and accepts none of them again (3, 7)', async () => {
      const { store, join, live, look } = await openRoom();
      await store.handOverNumbers('concert', 'first');
      await store.takeNumbersBack('concert', 'first', 200_000);
      await join('late');
      await store.joinWithNumber('concert', 'early', 5);
      await live(QUIET_SECONDS, ['late']);
      await store.putRoom('concert', { maxActive: 1 });
      expect(await live(3, ['late'])).toEqual(['late']);
      expect(await store.joinWithNumber('concert', 'other', 5)).toEqual({ outcome: 'used' });
      expect(await look('early')).toMatchObject({ number: 5, position: 1 });
      await store.leave('concert', 'late');
      expect(await live(1, [])).toEqual(['early']);
    });

    it('does not forget a visitor who is away when the line has moved far on', async () => {
      const { store, join, live, look } = await openRoom();
      await join('a');
      await live(QUIET_SECONDS, []);
      await store.putRoom('concert', { maxActive: 1 });
      await live(1, []);
      await store.putRoom('concert', { maxActive: 0 });
      await store.handOverNumbers('concert', 'first');
      await store.takeNumbersBack('concert', 'first', 300_000);
      await join('b');
      await live(2, ['b']);
      expect(await look('a')).toMatchObject({ number: 1, position: 1 });
      expect(await look('b')).toMatchObject({ number: 300_001, position: 2 });
    });

    it('returns the token of a no-show to the rate, once', async () => {
      const { store, join, live } = await openRoom({
        maxActive: 100,
        admitPerSecond: 1,
        burst: 3,
        claimTtlMs: 5_000,
        state: 'paused',
      });
      const waiters = Array.from({ length: 20 }, (_, i) => `v${i + 1}`);
      for (const visitor of waiters) await join(visitor);
      await store.putRoom('concert', { state: 'open' });
      // v1 polls until admitted and is not heard from again. The others show up.
      const others = waiters.slice(1);
      const perSecond: number[] = [];
      for (let second = 1; second <= 10; second += 1)
        perSecond.push((await live(1, second === 1 ? waiters : others)).length);
      expect(perSecond).toEqual([3, 1, 1, 1, 1, 2, 1, 1, 1, 1]);
    });

    it('keeps at most as many returned tokens as the bucket holds', async () => {
      const rate = { admitPerSecond: 2, burst: 4, claimTtlMs: 10_000 };
      const { store, join, live } = await openRoom({ maxActive: 100, ...rate, state: 'paused' });
      const waiters = Array.from({ length: 40 }, (_, i) => `v${i + 1}`);
      for (const visitor of waiters) await join(visitor);
      await store.putRoom('concert', { state: 'open' });
      expect(await live(5, [])).toHaveLength(12);
      await store.putRoom('concert', { state: 'paused' });
      const present = waiters.slice(12);
      await live(11, present);
      await store.putRoom('concert', { state: 'open' });
      const perSecond: number[] = [];
      for (let second = 1; second <= 4; second += 1) perSecond.push((await live(1, present)).length);
      // 12 did not come: 4 of their tokens are kept, and used beside the 4 of the full bucket.
      expect(perSecond).toEqual([8, 2, 2, 2]);
    });

    it('returns every token of many no-shows, and never more than doubles the rate', async () => {
      const { store, join, live } = await openRoom({
        maxActive: 100,
        admitPerSecond: 2,
        burst: 4,
        claimTtlMs: 10_000,
        state: 'paused',
      });
      const waiters = Array.from({ length: 60 }, (_, i) => `v${i + 1}`);
      for (const visitor of waiters) await join(visitor);
      await live(1, []);
      await store.putRoom('concert', { state: 'open' });
      const present = () => waiters.slice(12);
      const perSecond: number[] = [];
      for (let second = 1; second <= 20; second += 1)
        perSecond.push((await live(1, second < 5 ? [] : present())).length);
      // The bucket's 4 and then 2 a second: v1 to v12 are no-shows from the 11th second on.
      expect(perSecond.slice(0, 10)).toEqual([4, 2, 2, 2, 2, 2, 2, 2, 2, 2]);
      expect(Math.max(...perSecond.slice(10))).toBeLessThanOrEqual(4);
      expect(perSecond.slice(10).reduce((sum, count) => sum + count, 0)).toBe(10 * 2 + 12);
    });
  });
}

function createSteps(store: LineStore, harness: StoreHarness) {
  const standingOf = async (outcome: Promise<object>) => {
    const { standing } = (await outcome) as { standing?: Standing };
    if (standing === undefined) throw new Error('no standing');
    return standing;
  };
  const look = (visitor: string) => standingOf(store.look('concert', visitor));
  return {
    look,
    join: (visitor: string) => standingOf(store.join('concert', visitor)),
    async numberOf(visitor: string) {
      const standing = await standingOf(store.find('concert', visitor));
      return 'number' in standing ? standing.number : undefined;
    },
    /** Passes seconds in which these visitors poll and admission ticks; returns who was admitted, in order. */
    async live(seconds: number, present: readonly string[]): Promise<string[]> {
      const admitted: string[] = [];
      for (let second = 0; second < seconds; second += 1) {
        await harness.advance(1_000);
        await Promise.all(present.map(look));
        admitted.push(...(await tickAll(store)));
      }
      return admitted;
    },
  };
}

/** Ticks as the admitter does: again at once while there is more to do. */
async function tickAll(store: LineStore): Promise<string[]> {
  const admitted: string[] = [];
  for (;;) {
    const tick = await store.tick('concert');
    if (tick.outcome === 'no-room') throw new Error('no room');
    admitted.push(...tick.admitted.map(({ visitor }) => visitor));
    if (!tick.more) return admitted;
  }
}
