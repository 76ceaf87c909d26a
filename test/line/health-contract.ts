/** What every LineStore promises of a room that follows the health of the site. */
import { describe, expect, it } from 'vitest';
import { toPollAnswer } from '../../src/line/http/poll-answer.ts';
import type { RoomChange } from '../../src/line/model/room-settings.ts';
import { latencyBucketOf } from '../../src/line/model/site-health.ts';
import { testRoomDefaults } from '../support/rooms.ts';
import type { StoreHarness } from './line-store-contract.ts';

const followHealth = { maxErrorShare: 0.1, maxP95Ms: 500, minPerSecond: 1 };

export function describeHealth(name: string, createHarness: () => StoreHarness): void {
  describe(`${name} in a room that follows the health of the site`, () => {
    async function openRoom(change: RoomChange = {}) {
      const harness = createHarness();
      const store = await harness.open(testRoomDefaults());
      await store.putRoom('concert', { maxActive: 1_000, admitPerSecond: 8, followHealth, ...change });
      const visitors = Array.from({ length: 100 }, (_, i) => `v${i}`);
      for (const visitor of visitors) await store.join('concert', visitor);
      const tick = async () => {
        const outcome = await store.tick('concert');
        if (outcome.outcome === 'no-room') throw new Error('the room is gone');
        return outcome.admitted.length;
      };
      const report = (responses: number, errors: number, ms: number) => {
        const latencies: number[] = [];
        latencies[latencyBucketOf(ms)] = responses;
        return store.putHealth('concert', { responses, errors, latencies: Array.from(latencies, (n) => n ?? 0) });
      };
      /** A second in which the site answers like this. */
      const second = async (errors: number, ms: number) => {
        await report(100, errors, ms);
        await harness.advance(1_000);
        // Visitors who are not heard from would be passed over.
        await Promise.all(visitors.map((visitor) => store.look('concert', visitor)));
        return tick();
      };
      const health = async () => (await store.findRoom('concert'))!.crowd.health!;
      return { harness, store, tick, report, second, health };
    }

    it('admits fewer visitors while the site is slow, and more again when it is well', async () => {
      const { second, health } = await openRoom();
      await second(0, 20);
      expect(await second(0, 20)).toBe(8);
      await second(0, 3_000);
      expect(await health()).toMatchObject({ perSecond: 4, cause: 'latency' });
      expect(await second(0, 3_000)).toBe(4);
      await second(0, 3_000);
      for (let i = 0; i < 4; i += 1) await second(50, 20);
      expect(await health()).toMatchObject({ perSecond: 1, cause: 'errors', errorShare: 0.5 });
      expect(await second(50, 20)).toBe(1);
      let admitted = 0;
      for (let i = 0; i < 30; i += 1) admitted += await second(0, 20);
      expect(admitted).toBeGreaterThan(30);
      expect(await health()).toMatchObject({ perSecond: 8, cause: undefined });
    });

    it('raises the rate by a thirtieth of the full rate per second when the site is well again', async () => {
      const { second, health } = await openRoom();
      await second(0, 20);
      await second(0, 3_000);
      for (let seconds = 1; seconds <= 3; seconds += 1) {
        await second(0, 20);
        expect((await health()).perSecond).toBeCloseTo(4 + (seconds * 8) / 30, 9);
      }
    });

    it('takes the reports of several processes together', async () => {
      const { harness, tick, report, health } = await openRoom();
      await report(60, 0, 20);
      await report(40, 30, 20);
      await harness.advance(1_000);
      await tick();
      expect(await health()).toMatchObject({ errorShare: 0.3, cause: 'errors' });
    });

    it('puts nobody out and tells waiting visitors the reason', async () => {
      const { store, second } = await openRoom();
      await second(0, 20);
      const before = (await store.findRoom('concert'))!.crowd;
      for (let i = 0; i < 6; i += 1) await second(100, 20);
      const { crowd } = (await store.findRoom('concert'))!;
      expect(crowd.admitted + crowd.active).toBeGreaterThan(before.admitted + before.active);
      const looked = await store.look('concert', 'v99');
      if (looked.outcome === 'no-room') throw new Error('the room is gone');
      const answer = toPollAnswer({
        eventId: 'concert',
        ...looked,
        tickMs: 1_000,
        now: 0,
        entryToken: undefined,
        target: null,
      });
      expect(answer).toMatchObject({ status: 'queued', waitChange: 'site' });
      const pulse = await store.findPulse('concert');
      expect(pulse!.crowd.health).toEqual(crowd.health);
    });

    it('keeps a burst in proportion to the rate', async () => {
      const { harness, tick, report, second } = await openRoom({ burst: 40 });
      for (let i = 0; i < 8; i += 1) await second(100, 20);
      for (let i = 0; i < 8; i += 1) {
        await report(2, 2, 20);
        await harness.advance(1_000);
      }
      expect(await tick()).toBe(5);
    });

    it('forgets all of it when the room no longer follows the health', async () => {
      const { store, second, tick, health } = await openRoom();
      await second(100, 20);
      expect((await health()).perSecond).toBe(4);
      await store.putRoom('concert', { followHealth: null });
      expect((await store.findRoom('concert'))!.crowd).not.toHaveProperty('health');
      await tick();
      await store.putRoom('concert', { followHealth });
      await tick();
      expect(await health()).toMatchObject({ perSecond: 8, cause: undefined });
    });

    it('ignores reports for a room that does not follow them, or that does not exist', async () => {
      const { store, second } = await openRoom({ followHealth: null });
      await second(100, 20);
      expect(await second(100, 20)).toBe(8);
      const report = { responses: 1, errors: 0, latencies: [1] };
      await expect(store.putHealth('nowhere', report)).resolves.toBeUndefined();
    });
  });
}
