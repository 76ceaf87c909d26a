/** What every LineStore promises to those who could not be seen because nobody ticked. */
import { describe, expect, it } from 'vitest';
import type { RoomSettings } from '../../src/line/model/room-settings.ts';
import type { LineStore } from '../../src/line/store/line-store.ts';
import { testRoomDefaults } from '../support/rooms.ts';
import type { StoreHarness } from './line-store-contract.ts';

const HOUR_MS = 3_600_000;

export function describeStandstills(name: string, createHarness: () => StoreHarness): void {
  describe(`${name} after a standstill`, () => {
    /** One visitor inside, one admitted but not seen, two waiting; then an hour without a tick. */
    async function standStill(settings: Partial<RoomSettings> = {}) {
      const harness = createHarness();
      const store = await harness.open(testRoomDefaults());
      await store.putRoom('concert', { maxActive: 2, claimTtlMs: 60_000, seenTtlMs: 600_000, ...settings });
      for (const visitor of ['inside', 'leaves', 'let-in', 'comes', 'silent']) await store.join('concert', visitor);
      await store.leave('concert', 'leaves');
      await store.tick('concert');
      await harness.advance(HOUR_MS);
      const stateOf = async (visitor: string) => {
        const found = await store.find('concert', visitor);
        return found.outcome === 'found' ? found.standing.state : found.outcome;
      };
      return { store, stateOf, pass: (ms: number) => passTicking(harness, store, ms) };
    }

    it('costs no visitor anything, in whatever order calls arrive (4)', async () => {
      const { store, stateOf } = await standStill();
      expect(await store.sweep('concert')).toMatchObject({ more: false });
      for (const visitor of ['inside', 'let-in', 'comes', 'silent']) expect(await stateOf(visitor)).not.toBe('absent');
      expect(await store.tick('concert')).toMatchObject({ tally: { lapsed: 0, noShows: 0, ended: 0 }, admitted: [] });
      await store.sweep('concert');
      expect(await store.look('concert', 'let-in')).toMatchObject({ standing: { state: 'active' } });
      expect(await store.look('concert', 'inside')).toMatchObject({ standing: { state: 'active' } });
      expect(await store.look('concert', 'comes')).toMatchObject({ standing: { state: 'waiting', position: 1 } });
      expect(await stateOf('silent')).toBe('waiting');
    });

    it('gives everyone claimTtlMs to come back, then passes their slots on (4)', async () => {
      const { store, stateOf, pass } = await standStill();
      await store.tick('concert');
      await pass(59_000);
      expect(await stateOf('let-in')).toBe('admitted');
      expect(await stateOf('inside')).toBe('active');
      await store.look('concert', 'comes');
      await pass(2_000);
      expect(await stateOf('let-in')).toBe('absent');
      expect(await stateOf('inside')).toBe('absent');
      expect(await stateOf('comes')).toBe('admitted');
    });

    it('restarts the count of silence', async () => {
      const { store, stateOf, pass } = await standStill({ maxActive: 2, activeTtlMs: 3_600_000 });
      await store.tick('concert');
      await store.putRoom('concert', { state: 'paused' });
      await pass(599_000);
      await store.sweep('concert');
      expect(await stateOf('silent')).toBe('waiting');
      await pass(1_000);
      await store.sweep('concert');
      expect(await stateOf('silent')).toBe('absent');
    });

    it('does not revive what had ended before', async () => {
      const { store, stateOf } = await standStill({ claimTtlMs: 5_000 });
      expect(await store.tick('concert')).toMatchObject({ tally: { lapsed: 0, noShows: 1, ended: 0 } });
      expect(await stateOf('let-in')).toBe('absent');
      expect(await stateOf('inside')).toBe('active');
    });
  });
}

async function passTicking(harness: StoreHarness, store: LineStore, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 1_000) {
    await harness.advance(1_000);
    await store.tick('concert');
  }
}
