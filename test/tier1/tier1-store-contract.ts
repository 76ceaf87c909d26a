/** The contract of every Tier1Store. */
import { describe, expect, it } from 'vitest';
import type { Tier1Store } from '../../src/tier1/store/tier1-store.ts';

export interface Tier1Harness {
  /** An empty store of this test, closed after it. A second call opens the same data again. */
  open(): Promise<Tier1Store>;
  /** Advances the clock of the store. */
  advance(ms: number): void;
}

const EVENT = 'concert';
const PACE = { batchSize: 500, cycleMs: 10_000 };

/** Activates tier 1, with positions from `base` + 1. */
export async function switchOn(store: Tier1Store, base = 0, activation = 'first', after?: string): Promise<void> {
  expect(await store.move(EVENT, { to: 'opening', activation, after })).toBe(true);
  expect(await store.move(EVENT, { to: 'active', activation, base })).toBe(true);
}

export function describeTier1Store(name: string, createHarness: () => Tier1Harness): void {
  describe(`${name} as a Tier1Store`, () => {
    async function open(base = 0) {
      const harness = createHarness();
      const store = await harness.open();
      await switchOn(store, base);
      const assign = async (...devices: string[]) => {
        const outcome = await store.assign(EVENT, devices);
        return outcome.outcome === 'assigned' ? outcome.positions : outcome.outcome;
      };
      const counters = async () => (await store.findCounters(EVENT))!;
      return { harness, store, assign, counters };
    }

    it('has no counters for an event that was never activated', async () => {
      const store = await createHarness().open();
      expect(await store.findCounters('unknown')).toBeUndefined();
      expect(await store.assign('unknown', ['a'])).toEqual({ outcome: 'inactive' });
      expect(await store.advance('unknown', PACE)).toBeUndefined();
      expect(await store.advanceTo('unknown', 5)).toBeUndefined();
      await store.release('unknown', 'a', 1);
      expect(await store.listActive()).toEqual([]);
    });

    it('assigns each device the next position, and the same one again', async () => {
      const { assign, counters } = await open();
      expect(await assign('a', 'b', 'c')).toEqual([1, 2, 3]);
      expect(await assign('d', 'b', 'd', 'e')).toEqual([4, 2, 4, 5]);
      expect(await counters()).toMatchObject({ nextPosition: 5, servingCounter: 0, state: 'active' });
    });

    it('continues after the last number of the line', async () => {
      const { assign, counters } = await open(70);
      expect(await counters()).toMatchObject({ nextPosition: 70, servingCounter: 70 });
      expect(await assign('a')).toEqual([71]);
    });

    it('assigns no position twice under concurrency', async () => {
      const { store } = await open();
      const batches = Array.from({ length: 20 }, (_, i) => Array.from({ length: 10 }, (_, j) => `device-${i}-${j}`));
      const outcomes = await Promise.all(batches.map((devices) => store.assign(EVENT, devices)));
      const positions = outcomes.flatMap((outcome) => (outcome.outcome === 'assigned' ? outcome.positions : []));
      expect(positions.sort((a, b) => a - b)).toEqual(Array.from({ length: 200 }, (_, i) => i + 1));
    });

    it('assigns hundreds of positions in one call', async () => {
      const { assign, counters } = await open();
      const devices = Array.from({ length: 300 }, (_, i) => `device-${i}`);
      expect(await assign(...devices)).toEqual(devices.map((_, i) => i + 1));
      expect((await counters()).nextPosition).toBe(300);
    });

    it('releases the position of one device and no other', async () => {
      const { store, assign } = await open();
      await assign('a', 'b');
      await store.release(EVENT, 'a', 1);
      await store.release(EVENT, 'b', 1);
      expect(await assign('a', 'b')).toEqual([3, 2]);
    });

    it('serves evenly, and keeps the remainder', async () => {
      const { harness, store, assign, counters } = await open();
      await assign(...Array.from({ length: 200 }, (_, i) => `device-${i}`));
      harness.advance(1_000);
      await store.advance(EVENT, PACE);
      expect((await counters()).servingCounter).toBe(50);
      for (let i = 0; i < 4; i += 1) {
        harness.advance(25);
        await store.advance(EVENT, PACE);
      }
      expect((await counters()).servingCounter).toBe(55);
    });

    it('serves no more when called more often or concurrently', async () => {
      const { harness, store, assign, counters } = await open();
      await assign(...Array.from({ length: 200 }, (_, i) => `device-${i}`));
      harness.advance(2_000);
      await Promise.all(Array.from({ length: 10 }, () => store.advance(EVENT, PACE)));
      expect((await counters()).servingCounter).toBe(100);
    });

    it('never serves past the last position, and saves up nothing while nobody waits', async () => {
      const { harness, store, assign, counters } = await open();
      await assign('a', 'b');
      harness.advance(9_000);
      await store.advance(EVENT, PACE);
      expect(await counters()).toMatchObject({ nextPosition: 2, servingCounter: 2 });
      await assign(...Array.from({ length: 150 }, (_, i) => `device-${i}`));
      harness.advance(1_000);
      await store.advance(EVENT, PACE);
      expect((await counters()).servingCounter).toBe(52);
    });

    it('serves at most one batch after a gap', async () => {
      const { harness, store, assign, counters } = await open();
      await assign(...Array.from({ length: 60 }, (_, i) => `device-${i}`));
      harness.advance(3_600_000);
      await store.advance(EVENT, { batchSize: 20, cycleMs: 10_000 });
      expect((await counters()).servingCounter).toBe(20);
    });

    it('advances to an operator’s target, never past the last position and never back', async () => {
      const { store, assign } = await open();
      await assign('a', 'b', 'c');
      expect(await store.advanceTo(EVENT, 2)).toMatchObject({ servingCounter: 2 });
      expect(await store.advanceTo(EVENT, 1)).toMatchObject({ servingCounter: 2 });
      expect(await store.advanceTo(EVENT, 99)).toMatchObject({ servingCounter: 3 });
    });

    it('applies each switching step once, and only in its starting state', async () => {
      const { store } = await open();
      const activation = 'first';
      expect(await store.move(EVENT, { to: 'opening', activation: 'other', after: activation })).toBe(false);
      expect(await store.move(EVENT, { to: 'active', activation, base: 9 })).toBe(false);
      expect(await store.move(EVENT, { to: 'inactive', activation })).toBe(false);
      expect(await store.move(EVENT, { to: 'closing', activation: 'other' })).toBe(false);
      expect(await store.move(EVENT, { to: 'closing', activation })).toBe(true);
      expect(await store.move(EVENT, { to: 'closing', activation })).toBe(false);
      expect(await store.move(EVENT, { to: 'inactive', activation })).toBe(true);
      expect(await store.move(EVENT, { to: 'opening', activation: 'second', after: undefined })).toBe(false);
      expect(await store.move(EVENT, { to: 'opening', activation: 'second', after: activation })).toBe(true);
    });

    it('assigns no positions and serves nobody while it is being switched or inactive', async () => {
      const { harness, store, assign, counters } = await open();
      await assign('a', 'b');
      await store.move(EVENT, { to: 'closing', activation: 'first' });
      expect(await assign('a')).toBe('inactive');
      harness.advance(5_000);
      await store.advance(EVENT, PACE);
      expect(await counters()).toMatchObject({ state: 'closing', nextPosition: 2, servingCounter: 0 });
      await store.move(EVENT, { to: 'inactive', activation: 'first' });
      expect(await assign('a')).toBe('inactive');
    });

    it('lists only events that are active or being switched', async () => {
      const { store } = await open();
      expect(await store.listActive()).toEqual([EVENT]);
      await store.move(EVENT, { to: 'closing', activation: 'first' });
      expect(await store.listActive()).toEqual([EVENT]);
      await store.move(EVENT, { to: 'inactive', activation: 'first' });
      expect(await store.listActive()).toEqual([]);
    });

    it('starts over with a new activation: nobody keeps a position', async () => {
      const { store, assign, counters } = await open();
      await assign('a', 'b');
      await store.move(EVENT, { to: 'closing', activation: 'first' });
      await store.move(EVENT, { to: 'inactive', activation: 'first' });
      await switchOn(store, 40, 'second', 'first');
      expect(await assign('b', 'a')).toEqual([41, 42]);
      expect((await counters()).activation).toBe('second');
    });
  });
}
