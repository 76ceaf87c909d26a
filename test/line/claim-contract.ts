/** What every LineStore promises of claim rooms and of keyed requests; part of the contract of line-store-contract.ts. */
import { describe, expect, it } from 'vitest';
import type { RoomSettings } from '../../src/line/model/room-settings.ts';
import { placeIdOf, type Standing } from '../../src/line/model/standing.ts';
import type { LineStore } from '../../src/line/store/line-store.ts';
import { testRoomDefaults } from '../support/rooms.ts';
import type { StoreHarness } from './line-store-contract.ts';

export function describeClaims(name: string, createHarness: () => StoreHarness): void {
  async function openRoom(settings: Partial<RoomSettings> = {}) {
    const harness = createHarness();
    const store = await harness.open(testRoomDefaults());
    await store.putRoom('concert', { maxActive: 2, admission: 'claim', claimTtlMs: 10_000, ...settings });
    return { store, advance: harness.advance.bind(harness), ...createSteps(store) };
  }

  describe(`${name} with claim rooms`, () => {
    it('makes the head of the line ready, and nobody active by being seen', async () => {
      const { join, look, stay, tick, crowd } = await openRoom();
      expect((await join('a')).state, 'straight in is straight to being ready').toBe('admitted');
      expect((await join('b')).state).toBe('admitted');
      expect(await join('c')).toMatchObject({ state: 'waiting', position: 1 });
      for (const ask of [look, stay, join]) expect((await ask('a')).state).toBe('admitted');
      expect(await tick()).toEqual([]);
      expect(await crowd()).toMatchObject({ admitted: 2, active: 0, waiting: 1 });
    });

    it('grants entry to a ready visitor, always with the same token id (6)', async () => {
      const { store, join, enter, look } = await openRoom();
      const ready = await join('a');
      const first = await enter('a');
      expect(first).toMatchObject({ outcome: 'granted', standing: { state: 'active', tokenId: tokenIdOf(ready) } });
      expect(await enter('a')).toEqual(first);
      expect((await look('a')).state).toBe('active');
      expect(await store.stay('concert', 'a')).toMatchObject({ standing: { state: 'active' } });
    });

    it('refuses entry to visitors who wait, left, never joined, or are too late', async () => {
      const { store, join, enter, tick, crowd, advance } = await openRoom({ maxActive: 1 });
      await join('a');
      await join('b');
      expect(await enter('b')).toMatchObject({ outcome: 'not-ready', standing: { state: 'waiting', position: 1 } });
      expect(await enter('nobody')).toMatchObject({ outcome: 'not-ready', standing: { state: 'absent' } });
      await advance(10_000);
      expect(await enter('a')).toMatchObject({ outcome: 'not-ready', standing: { state: 'absent' } });
      await tick();
      await store.leave('concert', 'b');
      expect(await enter('b')).toMatchObject({ outcome: 'not-ready', standing: { state: 'absent' } });
      expect(await crowd()).toMatchObject({ admitted: 0, active: 0, waiting: 0 });
    });

    it('keeps a claim to its last millisecond, and reading it does not extend it', async () => {
      const { join, look, stay, enter, advance } = await openRoom();
      const first = await join('a');
      await join('b');
      await advance(9_999);
      expect(await look('a')).toEqual(first);
      expect(await stay('a')).toEqual(first);
      expect(await enter('a')).toMatchObject({ outcome: 'granted' });
      await advance(1);
      expect((await stay('b')).state).toBe('absent');
    });

    it('starts the time to enter when a response first tells the visitor, and once', async () => {
      for (const verb of ['look', 'stay', 'join'] as const) {
        const { store, join, tick, enter, advance, ...steps } = await openRoom({ maxActive: 1 });
        for (const visitor of ['a', 'b']) await join(visitor);
        await store.leave('concert', 'a');
        expect(await tick()).toEqual(['b']);
        await passTime(60_000, advance, tick);
        const ask = { ...steps, join }[verb];
        const told = await ask('b');
        expect(told, `${verb} long after claimTtlMs`).toMatchObject({ state: 'admitted', number: 2 });
        await advance(9_999);
        expect(await ask('b'), 'asking again gives no more time').toEqual(told);
        expect(await enter('b')).toMatchObject({ outcome: 'granted' });
      }
    });

    it('keeps the slot of a visitor who is told for claimTtlMs from then, and no longer', async () => {
      const { store, join, stay, tick, advance } = await openRoom({ maxActive: 1 });
      for (const visitor of ['a', 'b', 'c']) await join(visitor);
      await store.leave('concert', 'a');
      await tick();
      await advance(1_000);
      expect(await stay('b')).toMatchObject({ state: 'admitted' });
      await advance(9_999);
      await stay('c');
      expect(await tick()).toEqual([]);
      await advance(1);
      expect(await tick()).toEqual(['c']);
    });

    it.each([
      { seenTtlMs: 600_000, claimTtlMs: 10_000, heldMs: 90_000 },
      { seenTtlMs: 40_000, claimTtlMs: 10_000, heldMs: 40_000 },
      { seenTtlMs: 40_000, claimTtlMs: 120_000, heldMs: 120_000 },
    ])('holds the slot of a visitor who never asks for $heldMs ms', async ({ heldMs, ...settings }) => {
      const { store, join, tick, advance, crowd } = await openRoom({ maxActive: 1, ...settings });
      for (const visitor of ['a', 'b']) await join(visitor);
      await store.leave('concert', 'a');
      await tick();
      await passTime(heldMs - 1, advance, tick);
      expect(await crowd()).toMatchObject({ admitted: 1 });
      await advance(1);
      await tick();
      expect(await crowd()).toMatchObject({ admitted: 0 });
    });

    it('promises no more than is kept to one who asks without being told (10)', async () => {
      const { store, join, stay, tick, enter, advance } = await openRoom({ maxActive: 1 });
      for (const visitor of ['a', 'b']) await join(visitor);
      await store.leave('concert', 'a');
      await tick();
      const found = standingOf(await store.find('concert', 'b'));
      const told = await stay('b');
      expect(told).toEqual(found);
      await advance(9_999);
      expect(await enter('b')).toMatchObject({ outcome: 'granted' });
    });

    it('tells nobody by a sign of life whose answer the visitor does not get, in both kinds of rooms', async () => {
      for (const admission of ['claim', 'auto'] as const) {
        const { store, join, stay, tick, advance } = await openRoom({ maxActive: 1, admission, claimTtlMs: 20_000 });
        for (const visitor of ['a', 'b']) await join(visitor);
        await store.leave('concert', 'a');
        await tick();
        await advance(5_000);
        for (const ask of [
          store.look('concert', 'b', { isSign: true }),
          store.stay('concert', 'b', undefined, { isSign: true }),
        ]) {
          expect(standingOf(await ask)).toMatchObject({ state: 'admitted' });
        }
        await advance(14_999);
        expect((await stay('b')).state, admission).toBe('admitted');
        await advance(19_999);
        expect((await stay('b')).state, admission).toBe('admitted');
      }
    });

    it('does not count a gate that keeps a session as telling the visitor', async () => {
      const { store, join, stay, tick, advance } = await openRoom({ maxActive: 1 });
      for (const visitor of ['a', 'b']) await join(visitor);
      await store.leave('concert', 'a');
      await tick();
      await store.stay('concert', 'b', 'another place');
      await advance(29_000);
      await tick();
      expect((await stay('b')).state).toBe('admitted');
    });

    it('also tells by stay in a room of the other kind', async () => {
      const { store, join, stay, tick, enter, advance } = await openRoom({ maxActive: 1, admission: 'auto' });
      for (const visitor of ['a', 'b']) await join(visitor);
      await store.leave('concert', 'a');
      await tick();
      await advance(9_000);
      expect((await stay('b')).state).toBe('admitted');
      await advance(9_000);
      expect(await enter('b')).toMatchObject({ outcome: 'granted' });
    });

    it('passes on the slot of a visitor who does not enter in time (4, 5)', async () => {
      const { join, stay, tick, advance } = await openRoom({ maxActive: 1 });
      for (const visitor of ['a', 'b']) await join(visitor);
      await advance(9_999);
      expect(await tick()).toEqual([]);
      await advance(1);
      expect(await tick()).toEqual(['b']);
      expect((await stay('b')).state).toBe('admitted');
    });

    it('has at most claimWindow visitors ready at once', async () => {
      const { join, enter, tick, crowd } = await openRoom({ maxActive: 10, claimWindow: 2 });
      for (const visitor of ['a', 'b', 'c', 'd', 'e']) await join(visitor);
      expect(await crowd()).toMatchObject({ admitted: 2, waiting: 3 });
      expect(await tick()).toEqual([]);
      await enter('a');
      expect(await tick()).toEqual(['c']);
      expect(await crowd()).toMatchObject({ admitted: 2, active: 1, waiting: 2 });
    });

    it('gives the window back when a ready visitor does not come, or leaves (4)', async () => {
      const { store, join, tick, advance, crowd } = await openRoom({ maxActive: 10, claimWindow: 1 });
      for (const visitor of ['a', 'b', 'c']) await join(visitor);
      await advance(10_000);
      expect(await tick()).toEqual(['b']);
      await store.leave('concert', 'b');
      expect(await tick()).toEqual(['c']);
      expect(await crowd()).toMatchObject({ admitted: 1, active: 0, waiting: 0 });
    });

    it('makes nobody ready before minWaitMs, and lets nobody overtake (2)', async () => {
      const { store, join, tick, advance } = await openRoom({ maxActive: 10, minWaitMs: 5_000 });
      expect((await join('a')).state).toBe('waiting');
      await advance(2_000);
      await join('b');
      expect(await tick()).toEqual([]);
      await advance(3_000);
      expect(await tick()).toEqual(['a']);
      await advance(1_999);
      expect(await tick()).toEqual([]);
      await advance(1);
      expect(await tick()).toEqual(['b']);
      await store.putRoom('concert', { admission: 'auto' });
      expect((await join('c')).state, 'only claim rooms make people wait').toBe('active');
    });

    it('takes a token of the rate for each ready visitor, and none for entering', async () => {
      const { join, stay, enter, tick, advance } = await openRoom({ maxActive: 10, admitPerSecond: 1, burst: 1 });
      for (const visitor of ['a', 'b', 'c']) await join(visitor);
      for (let i = 0; i < 20; i += 1) await stay('b');
      await enter('a');
      await enter('a');
      expect(await tick()).toEqual([]);
      await advance(1_000);
      expect(await tick()).toEqual(['b']);
    });

    it('keeps claims when the room is paused, closed, made smaller or switched to auto', async () => {
      const { store, join, look, enter } = await openRoom({ maxActive: 4 });
      for (const visitor of ['a', 'b', 'c', 'd']) await join(visitor);
      await store.putRoom('concert', { state: 'paused', maxActive: 0 });
      expect(await enter('a')).toMatchObject({ outcome: 'granted' });
      await store.putRoom('concert', { state: 'closed', claimWindow: 1 });
      expect(await enter('b')).toMatchObject({ outcome: 'granted' });
      await store.putRoom('concert', { admission: 'auto' });
      expect((await look('c')).state, 'being seen is enough again').toBe('active');
      expect(await enter('d')).toMatchObject({ outcome: 'granted' });
    });

    it('keeps admitted visitors ready, not active, when the room is switched to claim', async () => {
      const { store, join, look, enter, tick } = await openRoom({ maxActive: 1, admission: 'auto' });
      for (const visitor of ['a', 'b']) await join(visitor);
      await store.leave('concert', 'a');
      await tick();
      await store.putRoom('concert', { admission: 'claim' });
      expect((await look('b')).state).toBe('admitted');
      expect(await enter('b')).toMatchObject({ outcome: 'granted' });
    });

    it('does not begin a session on stay, in both kinds of rooms', async () => {
      const { store, join, look, stay, tick } = await openRoom({ maxActive: 1, admission: 'auto' });
      for (const visitor of ['a', 'b']) await join(visitor);
      await store.leave('concert', 'a');
      await tick();
      expect((await stay('b')).state).toBe('admitted');
      expect((await look('b')).state).toBe('active');
    });

    it('counts stay as a sign of life, waiting and inside', async () => {
      const { store, join, enter, stay, advance } = await openRoom({
        maxActive: 1,
        seenTtlMs: 5_000,
        activeTtlMs: 5_000,
      });
      for (const visitor of ['a', 'b', 'c']) await join(visitor);
      await enter('a');
      for (let i = 0; i < 3; i += 1) {
        await advance(4_000);
        expect([(await stay('a')).state, (await stay('b')).state]).toEqual(['active', 'waiting']);
      }
      await store.sweep('concert');
      expect([(await stay('b')).state, (await stay('c')).state]).toEqual(['waiting', 'absent']);
    });

    it('counts stay with a token id for that place only', async () => {
      const settings = { maxActive: 1, admission: 'auto', seenTtlMs: 5_000, activeTtlMs: 5_000 } as const;
      const { store, join, look, advance } = await openRoom(settings);
      const earlier = tokenIdOf(await join('a'));
      await store.leave('concert', 'a');
      const inside = tokenIdOf(await join('b'));
      await join('a');
      for (let i = 0; i < 3; i += 1) {
        await advance(2_000);
        expect(await store.stay('concert', 'b', inside)).toMatchObject({
          standing: { state: 'active', tokenId: inside },
        });
        const other = await store.stay('concert', 'a', earlier);
        if (i < 2)
          expect(other, 'the place is reported, not touched').toMatchObject({ standing: { state: 'waiting' } });
      }
      await store.sweep('concert');
      expect([(await look('a')).state, (await look('b')).state]).toEqual(['absent', 'active']);
      await advance(3_000);
      await store.stay('concert', 'b', earlier);
      await advance(2_000);
      expect((await look('b')).state, 'another id does not extend the session').toBe('absent');
    });

    it('keeps a claim when the connection closes, even with releaseOnDisconnect', async () => {
      const { store, join, enter } = await openRoom({ releaseOnDisconnect: true });
      await join('a');
      await join('b');
      expect(await store.disconnect('concert', 'a')).toEqual({ outcome: 'kept' });
      expect(await store.disconnect('concert', 'b')).toEqual({ outcome: 'kept' });
      expect(await enter('b')).toMatchObject({ outcome: 'granted' });
      expect(await enter('a')).toMatchObject({ outcome: 'granted' });
      expect(await store.disconnect('concert', 'a')).toEqual({ outcome: 'left', from: 'active' });
    });

    it('grants entry only to the place that is named', async () => {
      const { store, join } = await openRoom();
      const earlier = tokenIdOf(await join('a'));
      await store.leave('concert', 'a');
      const later = tokenIdOf(await join('a'));
      const stale = await store.enter('concert', 'a', earlier);
      expect(stale).toMatchObject({ outcome: 'not-ready', standing: { state: 'absent' } });
      expect(await store.stay('concert', 'a'), 'and nothing has changed').toMatchObject({
        standing: { state: 'admitted' },
      });
      expect(await store.enter('concert', 'a', later)).toMatchObject({ outcome: 'granted' });
    });

    it('reports no room for events without one (9)', async () => {
      const { store } = await openRoom();
      const request = { key: 'k', fingerprint: 'f' };
      expect(await store.stay('other', 'a')).toEqual({ outcome: 'no-room' });
      expect(await store.enter('other', 'a')).toEqual({ outcome: 'no-room' });
      expect(await store.join('other', 'a', { request })).toEqual({ outcome: 'no-room' });
      expect(await store.join('concert', 'a', { request: { ...request, fingerprint: 'g' } })).toMatchObject({
        outcome: 'joined',
      });
    });
  });

  describe(`${name} with keyed requests to join`, () => {
    const request = { key: 'k', fingerprint: 'f' };

    it('joins once per key, and returns the current standing to a repeated request', async () => {
      const { store, crowd } = await openRoom({ maxActive: 0 });
      const first = await store.join('concert', 'a', { request });
      expect(first).toMatchObject({ outcome: 'joined', standing: { number: 1 } });
      const again = await store.join('concert', 'a', { request });
      expect(again).toMatchObject({ outcome: 'duplicate', standing: standingOf(first) });
      expect(await store.join('concert', 'a', { request: { key: 'another', fingerprint: 'f' } })).toMatchObject({
        outcome: 'already',
        standing: standingOf(first),
      });
      expect((await crowd()).waiting).toBe(1);
    });

    it('gives one place to a hundred concurrent requests with one key', async () => {
      const { store, crowd } = await openRoom({ maxActive: 0 });
      const outcomes = await Promise.all(Array.from({ length: 100 }, () => store.join('concert', 'a', { request })));
      expect(outcomes.filter(({ outcome }) => outcome === 'joined')).toHaveLength(1);
      expect(outcomes.filter(({ outcome }) => outcome === 'duplicate')).toHaveLength(99);
      expect(new Set(outcomes.map((outcome) => JSON.stringify(standingOf(outcome)))).size).toBe(1);
      expect((await crowd()).waiting).toBe(1);
    });

    it('refuses a key used with other parameters, also for another event, and changes nothing', async () => {
      const { store, crowd } = await openRoom({ maxActive: 0 });
      await store.putRoom('other', { maxActive: 0 });
      await store.join('concert', 'a', { request });
      const reused = { key: 'k', fingerprint: 'g' };
      expect(await store.join('concert', 'a', { request: reused })).toEqual({ outcome: 'key-reused' });
      expect(await store.join('other', 'a', { request: reused })).toEqual({ outcome: 'key-reused' });
      expect((await store.findRoom('other'))?.crowd.waiting).toBe(0);
      expect((await crowd()).waiting).toBe(1);
    });

    it('keeps the keys of different visitors separate', async () => {
      const { store } = await openRoom({ maxActive: 0 });
      await store.join('concert', 'a', { request });
      const other = { key: 'k', fingerprint: 'g' };
      expect(await store.join('concert', 'b', { request: other })).toMatchObject({
        outcome: 'joined',
        standing: { number: 2 },
      });
    });

    it('remembers a key for 300 seconds', async () => {
      const { store, advance } = await openRoom({ maxActive: 0 });
      await store.join('concert', 'a', { request });
      await advance(299_999);
      expect(await store.join('concert', 'a', { request })).toMatchObject({ outcome: 'duplicate' });
      await advance(1);
      expect(await store.join('concert', 'a', { request })).toMatchObject({ outcome: 'already' });
      await advance(300_000);
      expect(await store.join('concert', 'a', { request: { key: 'k', fingerprint: 'g' } })).toMatchObject({
        outcome: 'already',
      });
    });

    it('lets a refused request be repeated', async () => {
      const { store } = await openRoom({ state: 'closed' });
      expect(await store.join('concert', 'a', { request })).toEqual({ outcome: 'closed' });
      await store.putRoom('concert', { state: 'open' });
      expect(await store.join('concert', 'a', { request })).toMatchObject({ outcome: 'joined' });
    });

    it('gives no new place for a key whose place was given up', async () => {
      const { store } = await openRoom({ maxActive: 0 });
      await store.join('concert', 'a', { request });
      await store.leave('concert', 'a');
      expect(await store.join('concert', 'a', { request })).toMatchObject({
        outcome: 'duplicate',
        standing: { state: 'absent' },
      });
    });
  });
}

function createSteps(store: LineStore) {
  return {
    join: async (visitor: string) => standingOf(await store.join('concert', visitor)),
    look: async (visitor: string) => standingOf(await store.look('concert', visitor)),
    stay: async (visitor: string) => standingOf(await store.stay('concert', visitor)),
    enter: (visitor: string) => store.enter('concert', visitor),
    crowd: async () => (await store.findRoom('concert'))!.crowd,
    tick: async () => {
      const tick = await store.tick('concert');
      if (tick.outcome === 'no-room') throw new Error('the room is gone');
      return tick.admitted.map(({ visitor }) => visitor);
    },
  };
}

/** With ticks, so that it is no standstill. */
async function passTime(ms: number, advance: (ms: number) => Promise<void>, tick: () => Promise<unknown>) {
  for (let rest = ms; rest > 0; rest -= 20_000) {
    await advance(Math.min(rest, 20_000));
    await tick();
  }
}

function standingOf(outcome: { outcome: string }): Standing {
  if ('standing' in outcome) return outcome.standing as Standing;
  throw new Error(`expected a standing, got ${JSON.stringify(outcome)}`);
}

function tokenIdOf(standing: Standing): string {
  if (standing.state === 'absent') throw new Error('expected a place');
  return placeIdOf(standing);
}
