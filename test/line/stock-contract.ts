/** What every LineStore promises of a room that follows the stock. */
import { describe, expect, it } from 'vitest';
import { toPollAnswer } from '../../src/line/http/poll-answer.ts';
import type { RoomSettings } from '../../src/line/model/room-settings.ts';
import { testRoomDefaults } from '../support/rooms.ts';
import type { StoreHarness } from './line-store-contract.ts';

export function describeStocks(name: string, createHarness: () => StoreHarness): void {
  describe(`${name} in a room that follows the stock`, () => {
    async function openRoom(settings: Partial<RoomSettings>, ...visitors: string[]) {
      const store = await createHarness().open(testRoomDefaults());
      await store.putRoom('concert', { maxActive: 3, followStock: true, ...settings });
      for (const visitor of visitors) await store.join('concert', visitor);
      let asOf = 1_790_000_000_000_000;
      const say = async (left: number, held = 0, ...holders: string[]) => {
        asOf += 1;
        await store.putStock('concert', { left, held, holders, asOf });
        return asOf;
      };
      const tick = async () => {
        const outcome = await store.tick('concert');
        if (outcome.outcome === 'no-room') throw new Error('the room is gone');
        return outcome.admitted.map(({ visitor }) => visitor);
      };
      const tell = async (visitor: string) => {
        const looked = await store.look('concert', visitor);
        if (looked.outcome === 'no-room') throw new Error('the room is gone');
        return toPollAnswer({
          eventId: 'concert',
          ...looked,
          tickMs: 1_000,
          now: 0,
          entryToken: undefined,
          target: null,
        });
      };
      return { store, say, tick, tell };
    }

    it('admits nobody before the stock is known, then as many as it could serve, in order (1, 2)', async () => {
      const { say, tick, tell } = await openRoom({}, 'a', 'b', 'c', 'd');
      expect(await tick()).toEqual([]);
      expect(await tell('a')).toMatchObject({ status: 'queued', waitReason: 'no_room' });
      await say(2);
      expect(await tick()).toEqual(['a', 'b']);
      await say(10);
      expect(await tick(), 'the limit holds too').toEqual(['c']);
    });

    it('counts visitors inside who hold something as served', async () => {
      const { store, say, tick } = await openRoom({}, 'a', 'b', 'c');
      await say(2);
      expect(await tick()).toEqual(['a', 'b']);
      await say(1, 1, 'a');
      expect(await tick()).toEqual([]);
      await say(2, 1, 'a', 'somebody who is gone');
      expect(await tick()).toEqual(['c']);
      expect((await store.findRoom('concert'))!.crowd.stock).toEqual({ slots: 3, isSoldOut: false });
    });

    it('reports that all is sold, keeps the line in order, and continues when something is returned', async () => {
      const { store, say, tick, tell } = await openRoom({}, 'a', 'b', 'c');
      await say(1);
      expect(await tick()).toEqual(['a']);
      await say(0, 1, 'a');
      expect(await tell('b')).toMatchObject({ waitReason: 'few_left' });
      expect((await tell('b')).eventInfo).not.toHaveProperty('soldOut');
      await say(0);
      await store.leave('concert', 'a');
      expect(await tick()).toEqual([]);
      expect(await tell('b')).toMatchObject({ position: 1, waitReason: 'sold_out', eventInfo: { soldOut: true } });
      expect((await store.findPulse('concert'))!.crowd.stock).toEqual({ slots: 0, isSoldOut: true });
      await say(1);
      expect(await tick()).toEqual(['b']);
      expect(await tick()).toEqual([]);
      expect((await tell('c')).eventInfo).not.toHaveProperty('soldOut');
    });

    it('lets nobody go straight in without stock, and evicts nobody (1)', async () => {
      const { store, say, tick, tell } = await openRoom({}, 'a', 'b');
      await say(2);
      await tick();
      await say(0);
      await tick();
      expect((await tell('a')).status).toBe('active');
      await store.leave('concert', 'a');
      expect(await store.join('concert', 'c')).toMatchObject({ standing: { state: 'waiting' } });
    });

    it('ignores a report that is older than the last (8)', async () => {
      const { store, say, tick } = await openRoom({}, 'a');
      const asOf = await say(0);
      await store.putStock('concert', { left: 5, held: 0, holders: [], asOf: asOf - 1 });
      expect(await tick()).toEqual([]);
    });

    it('ignores the stock where the room does not follow it', async () => {
      const { store, say, tick } = await openRoom({ maxActive: 1 }, 'a', 'b');
      await say(0);
      expect(await tick()).toEqual([]);
      await store.putRoom('concert', { followStock: false });
      expect(await tick()).toEqual(['a']);
      await expect(store.putStock('nowhere', { left: 1, held: 0, holders: [], asOf: 1 })).resolves.toBeUndefined();
    });
  });
}
