/** What every LineStore promises about scheduled changes. */
import { describe, expect, it } from 'vitest';
import type { RoomChange } from '../../src/line/model/room-settings.ts';
import { MOST_SCHEDULED } from '../../src/line/model/scheduled-change.ts';
import type { LineStore } from '../../src/line/store/line-store.ts';
import { testRoomDefaults } from '../support/rooms.ts';
import type { StoreHarness } from './line-store-contract.ts';

export function describeSchedules(name: string, createHarness: () => StoreHarness): void {
  describe(`${name} with scheduled changes`, () => {
    async function openRoom() {
      const harness = createHarness();
      const store = await harness.open(testRoomDefaults());
      await store.putRoom('concert', { maxActive: 2 });
      /** Far in the past is due; far in the future is not. */
      const schedule = (id: string, change: RoomChange, at = 1) =>
        store.schedule('concert', { id, at, change, by: 'kim@example.org' });
      return { store, schedule, advance: harness.advance.bind(harness) };
    }
    const FUTURE = Date.UTC(2200, 0, 1);
    const limitOf = async (store: LineStore) => (await store.findRoom('concert'))!.crowd.settings.maxActive;

    it('applies a change that is due, once, and says who scheduled it and what was before', async () => {
      const { store, schedule } = await openRoom();
      expect(await schedule('a', { maxActive: 800 })).toEqual({ outcome: 'scheduled' });
      expect(await limitOf(store)).toBe(2);
      expect(await store.applyDue('concert')).toMatchObject({
        outcome: 'applied',
        scheduled: { id: 'a', by: 'kim@example.org', change: { maxActive: 800 } },
        before: { maxActive: 2 },
      });
      expect(await limitOf(store)).toBe(800);
      expect(await store.applyDue('concert')).toEqual({ outcome: 'nothing' });
      expect(await store.listScheduled('concert')).toEqual([]);
    });

    it('applies it once, however many ask at the same time', async () => {
      const { store, schedule } = await openRoom();
      await schedule('a', { maxActive: 3 });
      const outcomes = await Promise.all(Array.from({ length: 8 }, () => store.applyDue('concert')));
      expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(['applied', ...Array(7).fill('nothing')]);
    });

    it('applies changes in the order of their times, and none before its time', async () => {
      const { store, schedule } = await openRoom();
      await schedule('later', { maxActive: 9 }, 20);
      await schedule('never', { maxActive: 1 }, FUTURE);
      await schedule('first', { maxActive: 5 }, 10);
      expect((await store.listScheduled('concert')).map(({ id }) => id)).toEqual(['first', 'later', 'never']);
      expect(await store.listScheduledEvents()).toContain('concert');
      const applied = [
        await store.applyDue('concert'),
        await store.applyDue('concert'),
        await store.applyDue('concert'),
      ];
      expect(applied.map((one) => ('scheduled' in one ? one.scheduled.id : one.outcome))).toEqual([
        'first',
        'later',
        'nothing',
      ]);
      expect(await limitOf(store)).toBe(9);
    });

    it('keeps the changes when the room is changed, and cancels one', async () => {
      const { store, schedule } = await openRoom();
      await schedule('a', { maxActive: 3 });
      await store.putRoom('concert', { maxActive: 7 });
      expect(await store.cancelScheduled('concert', 'a')).toMatchObject({ id: 'a', change: { maxActive: 3 } });
      expect(await store.cancelScheduled('concert', 'a')).toBeUndefined();
      expect(await store.applyDue('concert')).toEqual({ outcome: 'nothing' });
      expect(await limitOf(store)).toBe(7);
    });

    it('refuses a change that the room would refuse now, and too many', async () => {
      const { store, schedule } = await openRoom();
      expect(await schedule('a', { burst: 5 })).toMatchObject({ outcome: 'invalid', problems: [{ field: 'burst' }] });
      expect(await store.schedule('nowhere', { id: 'a', at: 1, change: { maxActive: 1 }, by: 'k' })).toEqual({
        outcome: 'no-room',
      });
      for (let i = 0; i < MOST_SCHEDULED; i += 1) await schedule(`c${i}`, { maxActive: i }, FUTURE);
      expect(await schedule('one more', { maxActive: 1 }, FUTURE)).toEqual({ outcome: 'full' });
    });

    it('drops a change that the room no longer accepts', async () => {
      const { store, schedule } = await openRoom();
      await store.putRoom('concert', { admitPerSecond: 5 });
      expect(await schedule('a', { burst: 5 })).toEqual({ outcome: 'scheduled' });
      await store.putRoom('concert', { admitPerSecond: null });
      expect(await store.applyDue('concert')).toMatchObject({ outcome: 'invalid', scheduled: { id: 'a' } });
      expect(await store.listScheduled('concert')).toEqual([]);
    });
  });
}
