/** What every LineStore guarantees to a visitor who is renamed. */
import { describe, expect, it } from 'vitest';
import type { RoomSettings } from '../../src/line/model/room-settings.ts';
import type { Standing } from '../../src/line/model/standing.ts';
import { testRoomDefaults } from '../support/rooms.ts';
import type { StoreHarness } from './line-store-contract.ts';

export function describeRenames(name: string, createHarness: () => StoreHarness): void {
  describe(`${name} when a guest becomes a user`, () => {
    async function openRoom(settings: Partial<RoomSettings>, ...visitors: string[]) {
      const harness = createHarness();
      const store = await harness.open(testRoomDefaults());
      await store.putRoom('concert', settings);
      for (const visitor of visitors) await store.join('concert', visitor);
      const find = async (visitor: string): Promise<Standing> => {
        const found = await store.find('concert', visitor);
        if (found.outcome === 'no-room') throw new Error('the room is gone');
        return found.standing;
      };
      const count = async () => {
        const { waiting, admitted, active } = (await store.findRoom('concert'))!.crowd;
        return { waiting, inside: admitted + active };
      };
      return { store, find, count, advance: harness.advance.bind(harness) };
    }
    const rename = ['concert', 'guest', 'user'] as const;

    it('keeps the place and number of a waiter, however often rename is repeated (2, 3, 8)', async () => {
      const { store, find, count } = await openRoom({ maxActive: 0 }, 'a', 'guest', 'b');
      const before = await find('guest');
      expect(await store.rename(...rename)).toEqual({ outcome: 'renamed' });
      expect(await store.rename(...rename)).toEqual({ outcome: 'absent' });
      expect(await find('user')).toEqual(before);
      expect(await find('guest')).toEqual({ state: 'absent' });
      expect(await count()).toEqual({ waiting: 3, inside: 0 });
      await store.putRoom('concert', { maxActive: 2 });
      const tick = await store.tick('concert');
      expect('admitted' in tick && tick.admitted.map(({ visitor }) => visitor)).toEqual(['a', 'user']);
    });

    it('keeps the session of a visitor inside, with its token id and end (6)', async () => {
      const { store, find, count, advance } = await openRoom({ maxActive: 1, activeTtlMs: 10_000 }, 'guest', 'next');
      const before = await find('guest');
      await store.rename(...rename);
      expect(await find('user')).toEqual(before);
      expect(await count()).toEqual({ waiting: 1, inside: 1 });
      await advance(10_000);
      await store.tick('concert');
      expect(await find('user')).toEqual({ state: 'absent' });
      expect(await find('next')).toMatchObject({ state: 'admitted' });
    });

    it('keeps the claim of a visitor who has not shown up yet', async () => {
      const { store, find, count } = await openRoom({ maxActive: 1 }, 'first', 'guest');
      await store.leave('concert', 'first');
      await store.tick('concert');
      const before = await find('guest');
      expect(before.state).toBe('admitted');
      await store.rename(...rename);
      expect(await find('user')).toEqual(before);
      expect(await count()).toEqual({ waiting: 0, inside: 1 });
      expect(await store.look('concert', 'user')).toMatchObject({ standing: { state: 'active' } });
    });

    it.each([
      ['the earlier of two waiting places, the guest’s', { maxActive: 0 }, ['guest', 'user'], 'renamed', 0],
      ['the earlier of two waiting places, the user’s', { maxActive: 0 }, ['user', 'guest'], 'kept', 0],
      ['the one inside, the guest’s', { maxActive: 1 }, ['guest', 'user'], 'renamed', 0],
      ['the one inside, the user’s', { maxActive: 1 }, ['user', 'guest'], 'kept', 0],
      ['one of two inside', { maxActive: 2 }, ['guest', 'user'], 'renamed', 0],
    ] as const)('of two places keeps the better: %s (3)', async (_name, settings, visitors, outcome, best) => {
      const { store, find, count } = await openRoom(settings, ...visitors);
      const better = await find(visitors[best]);
      expect(await store.rename(...rename)).toEqual({ outcome });
      expect(await find('user')).toEqual(better);
      expect(await find('guest')).toEqual({ state: 'absent' });
      const { waiting, inside } = await count();
      expect(waiting + inside).toBe(1);
    });

    it('sweeps the visitor when they fall silent under the new id', async () => {
      const { store, find, advance } = await openRoom({ maxActive: 0, seenTtlMs: 5_000 }, 'guest');
      await store.rename(...rename);
      await store.tick('concert');
      await advance(5_000);
      await store.sweep('concert');
      expect(await find('user')).toEqual({ state: 'absent' });
    });

    it('does nothing without a place or a room', async () => {
      const { store, find } = await openRoom({ maxActive: 0 }, 'user');
      expect(await store.rename(...rename)).toEqual({ outcome: 'absent' });
      expect(await find('user')).toMatchObject({ state: 'waiting' });
      expect(await store.rename('nowhere', 'guest', 'user')).toEqual({ outcome: 'no-room' });
    });
  });

  describe(`${name} when a visitor leaves a named place`, () => {
    it('does not remove a newer place of the same visitor', async () => {
      const store = await createHarness().open(testRoomDefaults());
      await store.putRoom('concert', { maxActive: 1 });
      const tokenIdOf = async () => {
        const joined = await store.join('concert', 'buyer');
        return 'standing' in joined && joined.standing.state === 'active' ? joined.standing.tokenId : undefined;
      };
      const bought = await tokenIdOf();
      expect(await store.leave('concert', 'buyer', bought)).toEqual({ outcome: 'left', from: 'active' });
      const later = await tokenIdOf();
      expect(await store.leave('concert', 'buyer', bought)).toEqual({ outcome: 'absent' });
      expect(await store.find('concert', 'buyer')).toMatchObject({ standing: { tokenId: later } });
    });
  });
}
