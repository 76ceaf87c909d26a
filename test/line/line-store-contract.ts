/**
 * What every LineStore promises, whichever way it keeps its lines. A store is run through this by giving it a harness;
 * the numbers in the names are those of the invariants in docs/reference/line.md.
 */
import { describe, expect, it } from 'vitest';
import type { RoomSettings } from '../../src/line/model/room-settings.ts';
import type { Standing } from '../../src/line/model/standing.ts';
import type { LineStore } from '../../src/line/store/line-store.ts';
import { testRoomDefaults } from '../support/rooms.ts';
import { describeAway } from './away-contract.ts';
import { describeClaims } from './claim-contract.ts';
import { describeHealth } from './health-contract.ts';
import { describeRenames } from './rename-contract.ts';
import { describeSchedules } from './schedule-contract.ts';
import { describeStandstills } from './standstill-contract.ts';
import { describeStocks } from './stock-contract.ts';

export interface StoreHarness {
  /** An empty store of the test's own, closed when the test is over. */
  open(defaults: RoomSettings): Promise<LineStore>;
  /** Moves the store's clock. */
  advance(ms: number): Promise<void>;
}

export function describeLineStore(name: string, createHarness: () => StoreHarness): void {
  describeClaims(name, createHarness);
  describeStandstills(name, createHarness);
  describeAway(name, createHarness);
  describeRenames(name, createHarness);
  describeStocks(name, createHarness);
  describeHealth(name, createHarness);
  describeSchedules(name, createHarness);
  describe(`${name} as a line store`, () => {
    async function openRoom(settings: Partial<RoomSettings> = {}) {
      const harness = createHarness();
      const store = await harness.open(testRoomDefaults());
      await store.putRoom('concert', { maxActive: 2, ...settings });
      const line = createSteps(store);
      return { store, advance: harness.advance.bind(harness), ...line };
    }

    it('admits at once while a slot is free, then queues in order of arrival (1, 2)', async () => {
      const { join } = await openRoom();
      expect((await join('a')).state).toBe('active');
      expect((await join('b')).state).toBe('active');
      expect(await join('c')).toMatchObject({ state: 'waiting', position: 1 });
      expect(await join('d')).toMatchObject({ state: 'waiting', position: 2 });
      expect(await join('e')).toMatchObject({ state: 'waiting', position: 3 });
    });

    it('returns the same place to a visitor who joins again (3)', async () => {
      const { store, join } = await openRoom({ maxActive: 0 });
      const first = await join('a');
      await join('b');
      expect(await store.join('concert', 'a')).toMatchObject({ outcome: 'already', standing: first });
      expect((await store.findRoom('concert'))?.crowd.waiting).toBe(2);
    });

    it('never assigns a number twice, not even after leaving or clearing (3)', async () => {
      const { store, join } = await openRoom({ maxActive: 1 });
      const numbers: number[] = [];
      const draw = async (visitor: string) => numbers.push(numberOf(await join(visitor)));
      await draw('a');
      await draw('b');
      await store.leave('concert', 'a');
      await store.leave('concert', 'b');
      await draw('a');
      await store.clear('concert');
      await draw('b');
      expect(numbers).toEqual([...new Set(numbers)].sort((x, y) => x - y));
    });

    it('puts a number of tier 1 where it belongs, whenever it is brought (2, 7)', async () => {
      const { store, join } = await openRoom({ maxActive: 0 });
      await join('a');
      await join('b');
      expect(await store.handOverNumbers('concert', 'first')).toEqual({ outcome: 'handed-over', last: 2 });
      const exchange = async (visitor: string, number: number) => {
        const outcome = await store.joinWithNumber('concert', visitor, number);
        return 'standing' in outcome ? outcome.standing : outcome;
      };
      expect(await exchange('e', 70_005)).toMatchObject({ state: 'waiting', number: 70_005, position: 3 });
      expect(await exchange('d', 40)).toMatchObject({ number: 40, position: 3 });
      expect(await exchange('c', 3)).toMatchObject({ number: 3, position: 3 });
      expect(await store.look('concert', 'e')).toMatchObject({ standing: { number: 70_005, position: 5 } });
      expect(await store.look('concert', 'a')).toMatchObject({ standing: { number: 1, position: 1 } });
    });

    it('accepts a number of tier 1 once, and returns its owner the same place (3, 7)', async () => {
      const { store } = await openRoom({ maxActive: 0 });
      await store.handOverNumbers('concert', 'first');
      const first = await store.joinWithNumber('concert', 'a', 7);
      expect(first).toMatchObject({ outcome: 'joined' });
      expect(await store.joinWithNumber('concert', 'a', 7)).toMatchObject({
        outcome: 'already',
        standing: { number: 7 },
      });
      expect(await store.joinWithNumber('concert', 'b', 7)).toEqual({ outcome: 'used' });
      await store.leave('concert', 'a');
      expect(await store.joinWithNumber('concert', 'a', 7)).toEqual({ outcome: 'used' });
    });

    it('keeps the place of a visitor who takes a number of tier 1 afterwards: the response to their join was lost', async () => {
      const { store } = await openRoom({ maxActive: 0 });
      await store.join('concert', 'a');
      expect(await store.handOverNumbers('concert', 'first')).toEqual({ outcome: 'handed-over', last: 1 });
      const again = await store.joinWithNumber('concert', 'a', 2);
      expect(again).toMatchObject({ outcome: 'already', standing: { number: 1, position: 1 } });
    });

    it('counts changes of settings, so that nobody has to read all rooms to notice one', async () => {
      const { store } = await openRoom({ maxActive: 0 });
      const before = await store.countChanges();
      await store.putRoom('concert', { maxActive: 5 });
      expect(await store.countChanges()).not.toBe(before);
    });

    it('assigns no numbers while tier 1 does, and keeps existing ones', async () => {
      const { store, join } = await openRoom({ maxActive: 1 });
      await join('inside');
      const waiting = await join('waiting');
      await store.handOverNumbers('concert', 'first');
      expect(await store.join('concert', 'late')).toEqual({ outcome: 'number-required' });
      expect(await store.join('concert', 'waiting')).toMatchObject({ outcome: 'already', standing: waiting });
      expect(await store.find('concert', 'late')).toMatchObject({ standing: { state: 'absent' } });
    });

    it('continues after the last number of tier 1 once it is off', async () => {
      const { store, join } = await openRoom({ maxActive: 0 });
      await store.handOverNumbers('concert', 'first');
      await store.joinWithNumber('concert', 'a', 3);
      await store.takeNumbersBack('concert', 'first', 90_000);
      await store.takeNumbersBack('concert', 'first', 90_000);
      expect(await join('c')).toMatchObject({ number: 90_001, position: 2 });
      expect(await store.joinWithNumber('concert', 'b', 88_000)).toMatchObject({ standing: { position: 2 } });
    });

    it('ignores the end of an activation that another has replaced', async () => {
      const { store } = await openRoom();
      await store.handOverNumbers('concert', 'first');
      await store.handOverNumbers('concert', 'second');
      await store.takeNumbersBack('concert', 'first', 10);
      expect(await store.join('concert', 'a')).toEqual({ outcome: 'number-required' });
      await store.takeNumbersBack('concert', 'second', 10);
      expect(await store.join('concert', 'a')).toMatchObject({ standing: { number: 11 } });
    });

    it('is not handed over to an activation that has ended, by a call that comes late', async () => {
      const { store, join } = await openRoom({ maxActive: 0 });
      for (const activation of ['first', 'second']) {
        await store.handOverNumbers('concert', activation);
        await store.takeNumbersBack('concert', activation, 10);
      }
      for (const activation of ['second', 'first']) {
        await store.handOverNumbers('concert', activation);
        expect(await join(`after-${activation}`)).toMatchObject({ state: 'waiting' });
      }
      await store.handOverNumbers('concert', 'third');
      await store.handOverNumbers('concert', 'first');
      await store.takeNumbersBack('concert', 'third', 20);
      expect(await join('last')).toMatchObject({ number: 21 });
    });

    it('admits, sweeps and clears visitors who come late with an early number (4)', async () => {
      const { store, join, tick, advance } = await openRoom({ maxActive: 0, seenTtlMs: 30_000 });
      await store.handOverNumbers('concert', 'first');
      await store.takeNumbersBack('concert', 'first', 80_000);
      await join('late');
      for (const [visitor, number] of [
        ['a', 5],
        ['b', 6],
        ['c', 7],
      ] as const) {
        expect(await store.joinWithNumber('concert', visitor, number)).toMatchObject({ outcome: 'joined' });
      }
      await advance(20_000);
      for (const visitor of ['a', 'c']) await store.look('concert', visitor);
      await advance(10_000);
      await store.sweep('concert');
      expect(await store.look('concert', 'b')).toMatchObject({ standing: { state: 'absent' } });
      expect(await store.look('concert', 'c')).toMatchObject({ standing: { state: 'waiting', number: 7 } });
      await store.putRoom('concert', { maxActive: 1 });
      expect(await tick()).toEqual(['a']);
      await store.clear('concert');
      expect(await store.look('concert', 'c')).toMatchObject({ standing: { state: 'absent' } });
      expect(await store.joinWithNumber('concert', 'c', 7)).toEqual({ outcome: 'used' });
      expect(await store.joinWithNumber('concert', 'd', 8)).toMatchObject({ outcome: 'joined' });
    });

    it('admits from the head when a slot comes free, within one tick (4, 5)', async () => {
      const { store, join, look, tick } = await openRoom();
      for (const visitor of ['a', 'b', 'c', 'd', 'e']) await join(visitor);
      expect(await tick()).toEqual([]);
      await store.leave('concert', 'b');
      expect(await tick()).toEqual(['c']);
      expect((await look('c')).state).toBe('active');
      expect(await look('d')).toMatchObject({ state: 'waiting', position: 1 });
      expect(await look('e')).toMatchObject({ state: 'waiting', position: 2 });
    });

    it('keeps the token id of an admission until it ends, and gives a new one to the next (6)', async () => {
      const { store, join, look, tick } = await openRoom({ maxActive: 1 });
      const first = tokenIdOf(await join('a'));
      await join('b');
      await store.leave('concert', 'a');
      await tick();
      const admitted = tokenIdOf(await look('b'));
      expect(tokenIdOf(await look('b'))).toBe(admitted);
      expect(tokenIdOf(await join('b'))).toBe(admitted);
      expect(admitted).not.toBe(first);
      await store.leave('concert', 'b');
      expect(tokenIdOf(await join('b'))).not.toBe(admitted);
    });

    it('counts an admitted visitor who has not shown up against maxActive (1)', async () => {
      const { store, join, tick } = await openRoom({ maxActive: 1 });
      for (const visitor of ['a', 'b', 'c']) await join(visitor);
      await store.leave('concert', 'a');
      expect(await tick()).toEqual(['b']);
      expect(await tick()).toEqual([]);
      expect((await store.findRoom('concert'))?.crowd).toMatchObject({ admitted: 1, active: 0, waiting: 1 });
    });

    it('passes on the slot of a no-show, and not before its time (4)', async () => {
      const { store, join, look, tick, advance } = await openRoom({ maxActive: 1, claimTtlMs: 20_000 });
      for (const visitor of ['a', 'b', 'c']) await join(visitor);
      await store.leave('concert', 'a');
      await tick();
      await advance(19_999);
      expect(await tick()).toEqual([]);
      await advance(1);
      expect(await tick()).toEqual(['c']);
      expect((await look('b')).state).toBe('absent');
    });

    it('ends a session activeTtlMs after the visitor was last seen', async () => {
      const { join, look, advance } = await openRoom({ activeTtlMs: 10_000, activeMaxTtlMs: 3_600_000 });
      await join('a');
      await advance(9_000);
      expect((await look('a')).state).toBe('active');
      await advance(9_999);
      expect((await look('a')).state).toBe('active');
      await advance(10_000);
      expect((await look('a')).state).toBe('absent');
    });

    it('ends a session at its cap, however often the visitor is seen', async () => {
      const { join, look, advance } = await openRoom({ activeTtlMs: 10_000, activeMaxTtlMs: 25_000 });
      await join('a');
      for (let i = 0; i < 4; i += 1) {
        await advance(6_000);
        expect((await look('a')).state).toBe('active');
      }
      await advance(1_000);
      expect((await look('a')).state).toBe('absent');
    });

    it('does not renew a session where renewal is off', async () => {
      const { join, look, advance } = await openRoom({ activeTtlMs: 10_000, renew: false });
      await join('a');
      await advance(9_000);
      expect((await look('a')).state).toBe('active');
      await advance(1_000);
      expect((await look('a')).state).toBe('absent');
    });

    it('reads a standing with find without counting it as a sign of life', async () => {
      const { store, join, advance } = await openRoom({ activeTtlMs: 10_000 });
      await join('a');
      await advance(9_000);
      expect(await store.find('concert', 'a')).toMatchObject({ standing: { state: 'active' } });
      await advance(1_000);
      expect(await store.find('concert', 'a')).toMatchObject({ standing: { state: 'absent' } });
    });

    it('sweeps only waiters who were not seen for seenTtlMs (4)', async () => {
      const { store, join, look, advance } = await openRoom({ maxActive: 0, seenTtlMs: 30_000 });
      for (const visitor of ['a', 'b', 'c']) await join(visitor);
      await advance(20_000);
      await look('b');
      await advance(10_000);
      await store.sweep('concert');
      expect(await look('b')).toMatchObject({ state: 'waiting', position: 1 });
      expect((await look('a')).state).toBe('absent');
      expect((await store.findRoom('concert'))?.crowd.waiting).toBe(1);
    });

    it('skips silent waiters, so that a slot goes to a present visitor (5)', async () => {
      const { store, join, look, tick, advance } = await openRoom({ maxActive: 1, seenTtlMs: 30_000 });
      for (const visitor of ['a', 'b', 'c']) await join(visitor);
      await advance(30_000);
      await look('a');
      await join('c-again');
      await store.leave('concert', 'a');
      expect(await tick()).toEqual(['c-again']);
      expect((await store.findRoom('concert'))?.crowd.waiting).toBe(0);
    });

    it('applies a shorter seenTtlMs to visitors who already wait', async () => {
      const { store, join, look, advance } = await openRoom({ maxActive: 0, seenTtlMs: 600_000 });
      await join('a');
      await store.putRoom('concert', { seenTtlMs: 5_000 });
      await advance(5_000);
      await store.sweep('concert');
      expect((await look('a')).state).toBe('absent');
    });

    it('keeps the place of a disconnected waiter for the grace, and no longer', async () => {
      const settings = { maxActive: 0, seenTtlMs: 60_000, disconnectGraceMs: 10_000 };
      const { store, join, look, advance } = await openRoom(settings);
      for (const visitor of ['a', 'b', 'c']) await join(visitor);
      expect(await store.disconnect('concert', 'a')).toEqual({ outcome: 'kept' });
      expect(await store.disconnect('concert', 'b')).toEqual({ outcome: 'kept' });
      await advance(9_999);
      await store.sweep('concert');
      expect(await look('a')).toMatchObject({ state: 'waiting', position: 1 });
      await advance(1);
      await store.sweep('concert');
      expect((await look('b')).state).toBe('absent');
      expect(await look('a')).toMatchObject({ state: 'waiting', position: 1 });
      expect(await look('c')).toMatchObject({ state: 'waiting', position: 2 });
    });

    it('removes disconnected visitors at once only where the room says so', async () => {
      const { store, join, look } = await openRoom({ maxActive: 1, disconnectGraceMs: 0 });
      await join('a');
      await join('b');
      expect(await store.disconnect('concert', 'a')).toEqual({ outcome: 'kept' });
      expect(await store.disconnect('concert', 'b')).toEqual({ outcome: 'left', from: 'waiting' });
      await store.putRoom('concert', { releaseOnDisconnect: true });
      expect(await store.disconnect('concert', 'a')).toEqual({ outcome: 'left', from: 'active' });
      expect(await store.disconnect('concert', 'a')).toEqual({ outcome: 'absent' });
      expect((await look('a')).state).toBe('absent');
    });

    it('keeps the pulse of the last tick', async () => {
      const { store, join } = await openRoom({ maxActive: 1 });
      expect(await store.findPulse('concert')).toBeUndefined();
      for (const visitor of ['a', 'b', 'c']) await join(visitor);
      const tick = await store.tick('concert');
      expect(tick).toMatchObject({ pulse: { crowd: { waiting: 2, active: 1 }, ruler: { ranks: [1, 2] } } });
      expect(await store.findPulse('concert')).toEqual(tick.outcome === 'ticked' && tick.pulse);
    });

    it('evicts nobody when the limit is lowered, and admits nobody until a slot is free (1)', async () => {
      const { store, join, look, tick } = await openRoom({ maxActive: 3 });
      for (const visitor of ['a', 'b', 'c', 'd']) await join(visitor);
      await store.putRoom('concert', { maxActive: 1 });
      expect(await tick()).toEqual([]);
      for (const visitor of ['a', 'b', 'c']) expect((await look(visitor)).state).toBe('active');
      await store.leave('concert', 'a');
      await store.leave('concert', 'b');
      expect(await tick()).toEqual([]);
      await store.leave('concert', 'c');
      expect(await tick()).toEqual(['d']);
    });

    it('admits at most batchSize per tick', async () => {
      const { store, join, tick } = await openRoom({ maxActive: 0, batchSize: 2 });
      for (const visitor of ['a', 'b', 'c']) await join(visitor);
      await store.putRoom('concert', { maxActive: 100 });
      expect(await tick()).toEqual(['a', 'b']);
      expect(await tick()).toEqual(['c']);
    });

    it('admits at the configured rate, and catches up to the burst after a quiet time', async () => {
      const { store, join, tick, advance } = await openRoom({ maxActive: 0 });
      for (let i = 0; i < 20; i += 1) await join(`v${i}`);
      await store.putRoom('concert', { maxActive: 100, admitPerSecond: 2, burst: 5 });
      expect(await tick()).toHaveLength(5);
      expect(await tick()).toHaveLength(0);
      await advance(1_000);
      expect(await tick()).toHaveLength(2);
      await advance(60_000);
      expect(await tick()).toHaveLength(5);
    });

    it('applies the rate to visitors who would go straight in', async () => {
      const { join, advance } = await openRoom({ maxActive: 100, admitPerSecond: 1, burst: 2 });
      expect((await join('a')).state).toBe('active');
      expect((await join('b')).state).toBe('active');
      expect((await join('c')).state).toBe('waiting');
      await advance(10_000);
      expect(await join('d')).toMatchObject({ state: 'waiting', position: 2 });
    });

    it('lets visitors join a paused room and admits nobody until it is open again', async () => {
      const { store, join, tick } = await openRoom({ state: 'paused' });
      expect(await join('a')).toMatchObject({ state: 'waiting', position: 1 });
      expect(await tick()).toEqual([]);
      await store.putRoom('concert', { state: 'open' });
      expect(await tick()).toEqual(['a']);
    });

    it('lets nobody join a closed room, and keeps existing places', async () => {
      const { store, join, look, tick } = await openRoom({ maxActive: 1 });
      await join('a');
      await join('b');
      await store.putRoom('concert', { state: 'closed' });
      expect(await store.join('concert', 'c')).toEqual({ outcome: 'closed' });
      expect(await store.join('concert', 'b')).toMatchObject({ outcome: 'already' });
      expect((await look('a')).state).toBe('active');
      await store.leave('concert', 'a');
      expect(await tick()).toEqual([]);
      expect(await look('b')).toMatchObject({ state: 'waiting', position: 1 });
    });

    it('admits nobody before opensAt, and lets nobody join from closesAt on', async () => {
      const harness = createHarness();
      const store = await harness.open(testRoomDefaults());
      const { tick, join } = createSteps(store);
      await store.putRoom('concert', {});
      const now = await nowOf(store);
      const at = (ms: number) => new Date(now + ms).toISOString();
      await store.putRoom('concert', { opensAt: at(10_000), closesAt: at(60_000) });
      expect((await join('a')).state).toBe('waiting');
      await harness.advance(9_000);
      expect(await tick()).toEqual([]);
      await harness.advance(1_000);
      expect(await tick()).toEqual(['a']);
      expect((await join('b')).state).toBe('active');
      await harness.advance(50_000);
      expect(await store.join('concert', 'c')).toEqual({ outcome: 'closed' });
    });

    it('changes the given settings, keeps the rest, and resets null to the default', async () => {
      const { store } = await openRoom({ batchSize: 7 });
      const message = { en: 'Soon.', until: '2026-06-01T20:00:00+09:00' };
      await store.putRoom('concert', { message, admitPerSecond: 3 });
      const changed = await store.putRoom('concert', { batchSize: null, admitPerSecond: null });
      expect(changed).toMatchObject({
        outcome: 'changed',
        room: { overrides: { maxActive: 2, message }, crowd: { settings: { batchSize: 100, message } } },
      });
      expect((await store.findRoom('concert'))?.overrides).not.toHaveProperty('admitPerSecond');
    });

    it('refuses settings that contradict each other, names the field, and changes nothing', async () => {
      const { store } = await openRoom();
      const before = await store.findRoom('concert');
      const outcome = await store.putRoom('concert', { burst: 5, activeMaxTtlMs: 1_000 });
      expect(outcome).toMatchObject({
        outcome: 'invalid',
        problems: [{ field: 'burst' }, { field: 'activeMaxTtlMs' }],
      });
      expect(await store.findRoom('concert')).toEqual(before);
    });

    it('reports no room for unknown events, and creates none (9)', async () => {
      const { store } = await openRoom();
      const noRoom = { outcome: 'no-room' };
      expect(await store.join('other', 'a')).toEqual(noRoom);
      expect(await store.look('other', 'a')).toEqual(noRoom);
      expect(await store.find('other', 'a')).toEqual(noRoom);
      expect(await store.leave('other', 'a')).toEqual(noRoom);
      expect(await store.disconnect('other', 'a')).toEqual(noRoom);
      expect(await store.findPulse('other')).toBeUndefined();
      expect(await store.tick('other')).toEqual(noRoom);
      expect(await store.sweep('other')).toEqual(noRoom);
      expect(await store.clear('other')).toEqual(noRoom);
      expect(await store.findRoom('other')).toBeUndefined();
      expect((await store.listRooms()).map(({ eventId }) => eventId)).toEqual(['concert']);
    });

    it('keeps rooms apart', async () => {
      const { store, join } = await openRoom({ maxActive: 1 });
      await store.putRoom('other', { maxActive: 1 });
      await join('a');
      expect(await store.join('other', 'a')).toMatchObject({ standing: { state: 'active' } });
      await store.leave('concert', 'a');
      expect(await store.look('other', 'a')).toMatchObject({ standing: { state: 'active' } });
    });

    it('reports absent visitors as absent, and leaving twice as leaving once (8)', async () => {
      const { store, join, look } = await openRoom();
      expect(await look('a')).toEqual({ state: 'absent' });
      await join('a');
      expect(await store.leave('concert', 'a')).toEqual({ outcome: 'left', from: 'active' });
      expect(await store.leave('concert', 'a')).toEqual({ outcome: 'absent' });
      expect(await look('a')).toEqual({ state: 'absent' });
    });

    it('empties line and room when cleared, and reports how many were removed', async () => {
      const { store, join, look } = await openRoom();
      for (const visitor of ['a', 'b', 'c']) await join(visitor);
      expect(await store.clear('concert')).toEqual({ outcome: 'cleared', waiting: 1, inside: 2 });
      expect((await look('a')).state).toBe('absent');
      expect((await join('d')).state).toBe('active');
    });

    it('lists an event as active from the first join until a tick finds it empty', async () => {
      const { store, join, tick } = await openRoom({ maxActive: 1 });
      expect(await store.listActiveEvents()).toEqual([]);
      await join('a');
      expect(await store.listActiveEvents()).toEqual(['concert']);
      await join('b');
      await store.leave('concert', 'a');
      await tick();
      await store.leave('concert', 'b');
      await tick();
      expect(await store.listActiveEvents()).toEqual([]);
      expect(await store.findPulse('concert')).toBeUndefined();
      await join('a');
      expect(await store.listActiveEvents()).toEqual(['concert']);
    });

    it('gives the holder of a lock the lock again, also after its release', async () => {
      const { store } = await openRoom();
      const lock = await store.tryLockAdmission('concert');
      expect(lock).toBeDefined();
      expect(await store.tryLockAdmission('concert')).toBeDefined();
      await lock!.release();
      expect(await store.tryLockAdmission('concert')).toBeDefined();
    });

    it('reports what ended since the last tick', async () => {
      const { store, join, tick, advance } = await openRoom({ maxActive: 1, claimTtlMs: 5_000, activeTtlMs: 20_000 });
      for (const visitor of ['a', 'b', 'c']) await join(visitor);
      await advance(20_000);
      await tick();
      await advance(5_000);
      expect(await store.tick('concert')).toMatchObject({ tally: { noShows: 1, ended: 0, lapsed: 0 } });
      expect(await store.tick('concert')).toMatchObject({ tally: { noShows: 0, ended: 0, lapsed: 0 } });
      expect((await store.findRoom('concert'))?.totals).toMatchObject({ noShows: 1 });
    });

    it('gives many concurrent joins one place each, in one unbroken order (2, 3)', async () => {
      const { store } = await openRoom({ maxActive: 10 });
      const visitors = Array.from({ length: 500 }, (_, i) => `v${i % 400}`);
      const outcomes = await Promise.all(visitors.map((visitor) => store.join('concert', visitor)));
      const numbers = new Map(outcomes.map((outcome, i) => [visitors[i], numberOf(standingOf(outcome))]));
      expect(new Set(numbers.values()).size).toBe(400);
      expect((await store.findRoom('concert'))?.crowd).toMatchObject({ waiting: 390, active: 10 });
    });
  });
}

function createSteps(store: LineStore) {
  return {
    join: async (visitor: string) => standingOf(await store.join('concert', visitor)),
    look: async (visitor: string) => standingOf(await store.look('concert', visitor)),
    tick: async () => {
      const tick = await store.tick('concert');
      if (tick.outcome === 'no-room') throw new Error('the room is gone');
      return tick.admitted.map(({ visitor }) => visitor);
    },
  };
}

function standingOf(outcome: { outcome: string }): Standing {
  if ('standing' in outcome) return outcome.standing as Standing;
  throw new Error(`expected a standing, got ${JSON.stringify(outcome)}`);
}

function numberOf(standing: Standing): number {
  if (standing.state === 'absent' || standing.state === 'lobby') throw new Error('expected a number');
  return standing.number;
}

function tokenIdOf(standing: Standing): string {
  if (standing.state !== 'admitted' && standing.state !== 'active') throw new Error('expected an admission');
  return standing.tokenId;
}

/** The time by the store's own clock: when a visitor who joins now has joined. */
async function nowOf(store: LineStore): Promise<number> {
  await store.putRoom('clock', { state: 'paused' });
  const standing = standingOf(await store.join('clock', 'somebody'));
  if (standing.state !== 'waiting') throw new Error('expected the visitor to wait');
  return standing.joinedAt;
}
