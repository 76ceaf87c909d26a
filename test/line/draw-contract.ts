/** The contract of every LineStore about draws. Numbers in titles are the invariants of docs/reference/line.md. */
import { describe, expect, it } from 'vitest';
import type { RoomSettings } from '../../src/line/model/room-settings.ts';
import { placeIdOf, type Standing } from '../../src/line/model/standing.ts';
import type { DrawResult, Draws } from '../../src/line/store/draws.ts';
import type { LineStore } from '../../src/line/store/line-store.ts';
import { recomputeDraw } from '../support/recompute-draw.ts';
import { testRoomDefaults } from '../support/rooms.ts';
import type { StoreHarness } from './line-store-contract.ts';

const OPENS_IN_MS = 60_000;

export function describeDraws(name: string, createHarness: () => StoreHarness): void {
  describe(`${name}: draws`, () => {
    async function openDrawRoom(settings: Partial<RoomSettings> = {}) {
      const harness = createHarness();
      const store = await harness.open(testRoomDefaults());
      const opensAt = new Date((await nowOf(store)) + OPENS_IN_MS).toISOString();
      await store.putRoom('concert', { maxActive: 0, order: 'draw', opensAt, ...settings });
      return { store, opensAt, advance: harness.advance.bind(harness), ...createSteps(store) };
    }

    it('keeps visitors who join before opening in the lobby, without number or position', async () => {
      const { store, join, look, advance, tick } = await openDrawRoom({ maxActive: 10 });
      const first = await join('a');
      expect(first).toMatchObject({ state: 'lobby', lot: expect.stringMatching(/^[0-9a-f]{32}$/) });
      expect(first).not.toHaveProperty('number');
      expect(first).not.toHaveProperty('position');
      expect(await join('a')).toEqual(first);
      await store.leave('concert', 'a');
      await advance(OPENS_IN_MS - 1);
      expect((await join('a')) as object).toMatchObject({ lot: (first as { lot: string }).lot });
      expect(await tick()).toEqual([]);
      expect((await look('a')).state).toBe('lobby');
      expect((await store.findRoom('concert'))?.crowd).toMatchObject({ waiting: 1, draw: 'announced' });
    });

    it('orders present visitors by the published rule, and later ones behind them (2, 3)', async () => {
      const { store, join, look, advance, finish, numberOf } = await openDrawRoom();
      const visitors = Array.from({ length: 50 }, (_, i) => `v${i}`);
      const lots = new Map<string, string>();
      for (const visitor of visitors) lots.set(visitor, lotOf(await join(visitor)));
      const announced = await store.findDraw('concert');
      expect(announced).toMatchObject({ phase: 'announced' });
      expect(announced).not.toHaveProperty('seed');
      await advance(OPENS_IN_MS);
      expect(await join('late')).toMatchObject({ state: 'waiting', position: 51 });
      expect(await look('late')).toMatchObject({ state: 'waiting', position: 51 });
      expect(await store.tick('concert')).toMatchObject({ pulse: { crowd: { waiting: 51 }, ruler: { ranks: [51] } } });
      await finish();
      const result = (await store.findDraw('concert')) as DrawResult;
      expect(result).toMatchObject({ phase: 'drawn', entries: 50, commitment: announced?.commitment });
      const numbers = recomputeDraw(result, await listOf(store));
      for (const [visitor, lot] of lots) expect(await numberOf(visitor)).toBe(numbers.get(lot));
      expect(await numberOf('late')).toBe(result.firstNumber + 50);
      expect(await store.look('concert', 'late')).toMatchObject({ standing: { position: 51 } });
    });

    it('lets a guest who signs in take part once, but renames nobody while numbers are assigned (3)', async () => {
      const { store, join, look, advance, finish } = await openDrawRoom();
      for (const visitor of ['guest', 'user', 'other', 'second guest']) await join(visitor);
      expect(await store.rename('concert', 'guest', 'user')).toEqual({ outcome: 'renamed' });
      expect(await look('guest')).toEqual({ state: 'absent' });
      expect(await store.leave('concert', 'user', `${(await store.findRoom('concert'))!.epoch}.1`)).toEqual({
        outcome: 'absent',
      });
      await advance(OPENS_IN_MS);
      expect(await store.tick('concert')).toMatchObject({ pulse: { crowd: { waiting: 3 } } });
      expect(await store.rename('concert', 'second guest', 'second user')).toEqual({ outcome: 'drawing' });
      await finish();
      expect((await store.findDraw('concert')) as DrawResult).toMatchObject({ phase: 'drawn', entries: 3 });
      const before = await look('second guest');
      expect(await store.rename('concert', 'second guest', 'second user')).toEqual({ outcome: 'renamed' });
      expect(await look('second user')).toMatchObject({ number: (before as { number: number }).number });
    });

    it('returns the lot after the draw only to visitors who took part', async () => {
      const { store, join, look, advance, finish } = await openDrawRoom();
      const lot = lotOf(await join('a'));
      await advance(OPENS_IN_MS);
      await finish();
      expect(await join('late')).not.toHaveProperty('lot');
      expect(await look('a')).toMatchObject({ state: 'waiting', lot });
      await store.putRoom('concert', { maxActive: 5 });
      await store.tick('concert');
      expect(await look('a')).toMatchObject({ state: 'active', lot });
    });

    it('admits nobody until the draw is done, and then in the drawn order (2)', async () => {
      const { store, join, look, advance, tick, finish } = await openDrawRoom({ maxActive: 3 });
      const visitors = ['a', 'b', 'c', 'd', 'e'];
      for (const visitor of visitors) await join(visitor);
      await advance(OPENS_IN_MS);
      expect(await tick()).toEqual([]);
      for (let step = 0; (await store.draw('concert')).outcome === 'drawing'; step += 1) {
        if ((await store.findDraw('concert'))?.phase !== 'drawing') break;
        expect((await look('a')).state, `after step ${step}`).toBe('lobby');
        expect(await tick()).toEqual([]);
        expect((await join('late')).state).toBe('waiting');
      }
      await finish();
      const admitted = await tick();
      const { firstNumber } = (await store.findDraw('concert')) as DrawResult;
      expect(admitted).toHaveLength(3);
      const numbers = await Promise.all(admitted.map(async (visitor) => numberIn(await look(visitor))));
      expect(numbers).toEqual([firstNumber, firstNumber + 1, firstNumber + 2]);
    });

    it('removes a visitor who leaves during the draw, and assigns their number to nobody (3)', async () => {
      const { store, join, look, advance, finish } = await openDrawRoom();
      for (const visitor of ['a', 'b', 'c', 'd']) await join(visitor);
      await advance(OPENS_IN_MS);
      await store.tick('concert');
      await store.draw('concert');
      expect(await store.leave('concert', 'b')).toEqual({ outcome: 'left', from: 'lobby' });
      await finish();
      expect((await look('b')).state).toBe('absent');
      expect(numberIn(await join('b'))).toBe(((await store.findDraw('concert')) as DrawResult).firstNumber + 4);
      expect((await store.findRoom('concert'))?.crowd.waiting).toBe(4);
      expect(await listOf(store)).toHaveLength(4);
    });

    it('draws no number for visitors who were silent at opening, and removes them from the lobby', async () => {
      const { store, join, look, advance, finish } = await openDrawRoom({
        seenTtlMs: 40_000,
        disconnectGraceMs: 1_000,
      });
      for (const visitor of ['silent', 'seen', 'disconnected', 'swept']) await join(visitor);
      await advance(20_000);
      await look('silent');
      await advance(20_000);
      await store.sweep('concert');
      expect((await look('swept')).state).toBe('absent');
      expect((await look('silent')).state).toBe('lobby');
      await join('silent');
      await join('seen');
      await join('disconnected');
      await advance(19_000);
      await look('seen');
      expect(await store.disconnect('concert', 'disconnected')).toEqual({ outcome: 'kept' });
      await store.putRoom('concert', { seenTtlMs: 15_000 });
      await advance(1_000);
      await finish();
      expect(await listOf(store)).toHaveLength(1);
      expect((await look('seen')).state).toBe('waiting');
      expect((await look('silent')).state).toBe('absent');
      expect((await look('disconnected')).state).toBe('absent');
    });

    it('draws in a paused room without admitting anyone, and draws in a closed room once it opens', async () => {
      const { store, join, look, advance, tick, finish } = await openDrawRoom({ maxActive: 5 });
      await join('a');
      await store.putRoom('concert', { state: 'closed' });
      await advance(OPENS_IN_MS);
      expect(await store.draw('concert')).toEqual({ outcome: 'nothing' });
      expect(await store.join('concert', 'b')).toEqual({ outcome: 'closed' });
      expect((await look('a')).state).toBe('lobby');
      await store.putRoom('concert', { state: 'paused' });
      await finish();
      expect(await look('a')).toMatchObject({ state: 'waiting', position: 1 });
      expect(await tick()).toEqual([]);
      await store.putRoom('concert', { state: 'open' });
      expect(await tick()).toEqual(['a']);
    });

    it('keeps the seed through every change of the room, and creates a new one when it is cleared', async () => {
      const { store, join, opensAt, advance, finish } = await openDrawRoom();
      const before = await store.findDraw('concert');
      await store.putRoom('concert', { maxActive: 1, order: 'draw' });
      await store.clear('concert');
      expect(await store.findDraw('concert')).toEqual(before);
      await join('a');
      await advance(OPENS_IN_MS);
      await finish();
      expect(await store.clear('concert')).toEqual({ outcome: 'cleared', waiting: 1, inside: 0 });
      const after = await store.findDraw('concert');
      expect(after).toEqual({ phase: 'announced', opensAt, commitment: expect.any(String) });
      expect(after?.commitment).not.toBe(before?.commitment);
      expect(await listOf(store)).toEqual([]);
      expect(
        await store.putRoom('concert', { opensAt: new Date(Date.parse(opensAt) + 1_000_000).toISOString() }),
      ).toMatchObject({ outcome: 'changed' });
      expect((await join('a')).state).toBe('lobby');
    });

    it('refuses to change order while visitors wait, and order or opensAt once the draw has begun', async () => {
      const { store, join, opensAt, advance, finish } = await openDrawRoom();
      const later = new Date(Date.parse(opensAt) + 5_000).toISOString();
      const invalid = (field: string) => ({ outcome: 'invalid', problems: [{ field }] });
      expect(await store.putRoom('other', { order: 'draw' })).toMatchObject(invalid('opensAt'));
      await join('a');
      expect(await store.putRoom('concert', { order: 'fifo' })).toMatchObject(invalid('order'));
      expect(await store.putRoom('concert', { opensAt: later })).toMatchObject({ outcome: 'changed' });
      await advance(OPENS_IN_MS + 5_000);
      await store.tick('concert');
      for (const isDone of [false, true]) {
        if (isDone) await finish();
        expect(await store.putRoom('concert', { order: 'fifo' })).toMatchObject(invalid('order'));
        expect(await store.putRoom('concert', { opensAt })).toMatchObject(invalid('opensAt'));
        expect(await store.putRoom('concert', { maxActive: 0, opensAt: later })).toMatchObject({ outcome: 'changed' });
      }
      await store.putRoom('other', { maxActive: 0, opensAt });
      await store.join('other', 'a');
      expect(await store.putRoom('other', { order: 'draw' })).toMatchObject(invalid('order'));
    });

    it('makes nobody ready in a claim room until the draw is done, and then in the drawn order (2)', async () => {
      const { store, join, look, advance, tick, finish } = await openDrawRoom({ maxActive: 2, admission: 'claim' });
      const visitors = ['a', 'b', 'c', 'd'];
      for (const visitor of visitors) await join(visitor);
      for (const isOpen of [false, true]) {
        if (isOpen) await advance(OPENS_IN_MS);
        expect(await tick()).toEqual([]);
        expect(await store.enter('concert', 'a')).toMatchObject({ outcome: 'not-ready', standing: { state: 'lobby' } });
        expect(await store.stay('concert', 'a')).toMatchObject({ standing: { state: 'lobby' } });
      }
      expect((await join('late')).state, 'nobody bypasses the draw by joining directly').toBe('waiting');
      await finish();
      const ready = await tick();
      expect(ready).toHaveLength(2);
      const numbers = await Promise.all(ready.map(async (visitor) => numberIn(await look(visitor))));
      expect(numbers).toEqual([1, 2]);
      for (const visitor of [...visitors, 'late']) {
        const outcome = ready.includes(visitor) ? 'granted' : 'not-ready';
        expect(await store.enter('concert', visitor)).toMatchObject({ outcome });
      }
    });

    it('counts minWaitMs of a claim room from joining the lobby', async () => {
      const { store, join, advance, tick, finish } = await openDrawRoom({
        maxActive: 5,
        admission: 'claim',
        minWaitMs: OPENS_IN_MS + 5_000,
      });
      await join('a');
      await advance(OPENS_IN_MS);
      await finish();
      expect(await tick()).toEqual([]);
      await advance(5_000);
      expect(await tick()).toEqual(['a']);
      expect(await store.enter('concert', 'a')).toMatchObject({ outcome: 'granted' });
    });

    it('keeps the id of a place before, during and after the draw, and gives it to no other place', async () => {
      const { store, join, look, advance, tick, finish } = await openDrawRoom({ maxActive: 5, admission: 'claim' });
      const earlier = placeIn(await join('a'));
      await store.leave('concert', 'a');
      await advance(1);
      const id = placeIn(await join('a'));
      expect(id).not.toBe(earlier);
      const gone = { outcome: 'not-ready', standing: { state: 'absent' } };
      expect(await store.enter('concert', 'a', earlier)).toMatchObject(gone);
      expect(await store.enter('concert', 'a', id)).toMatchObject({ standing: { state: 'lobby' } });
      await advance(OPENS_IN_MS);
      await tick();
      expect(placeIn(await look('a'))).toBe(id);
      await finish();
      expect(placeIn(await look('a'))).toBe(id);
      expect(await store.enter('concert', 'a', id)).toMatchObject({ standing: { state: 'waiting' } });
      expect(await tick()).toEqual(['a']);
      expect(placeIn(await look('a'))).toBe(id);
      expect(await store.enter('concert', 'a', earlier)).toMatchObject(gone);
      expect(await store.enter('concert', 'a', id)).toMatchObject({
        outcome: 'granted',
        standing: { tokenId: expect.stringMatching(/\.1$/) },
      });
      expect(await store.leave('concert', 'a', earlier)).toEqual({ outcome: 'absent' });
      expect(await store.leave('concert', 'a', id)).toEqual({ outcome: 'left', from: 'active' });
      expect(placeIn(await join('a')), 'a later place has its own id').not.toBe(id);
      expect(await store.enter('concert', 'a', id)).toMatchObject(gone);
    });

    it('recognises a repeated request in the lobby, even across the draw', async () => {
      const { store, advance, finish } = await openDrawRoom();
      const request = { key: 'k', fingerprint: 'f' };
      const first = await store.join('concert', 'a', { request });
      expect(first).toMatchObject({ outcome: 'joined', standing: { state: 'lobby' } });
      expect(await store.join('concert', 'a', { request })).toMatchObject({
        outcome: 'duplicate',
        standing: standingOf(first),
      });
      await advance(OPENS_IN_MS);
      await finish();
      expect(await store.join('concert', 'a', { request })).toMatchObject({
        outcome: 'duplicate',
        standing: { state: 'waiting', number: 1, lot: lotOf(standingOf(first)) },
      });
    });

    it('admits each number of tier 1 to the lobby once, and orders by lot, not by that number (2, 7)', async () => {
      const { store, join, look, advance, finish, numberOf } = await openDrawRoom();
      await store.handOverNumbers('concert', 'first');
      expect(await store.join('concert', 'a')).toEqual({ outcome: 'number-required' });
      const lots = new Map<string, string>();
      for (let number = 1; number <= 20; number += 1) {
        const outcome = await store.joinWithNumber('concert', `v${number}`, number);
        expect(outcome).toMatchObject({ outcome: 'joined', standing: { state: 'lobby' } });
        lots.set(`v${number}`, lotOf(standingOf(outcome)));
      }
      expect(await store.joinWithNumber('concert', 'b', 20)).toEqual({ outcome: 'used' });
      expect(await store.joinWithNumber('concert', 'v20', 20)).toMatchObject({ outcome: 'already' });
      await advance(OPENS_IN_MS);
      await finish();
      const result = (await store.findDraw('concert')) as DrawResult;
      const numbers = recomputeDraw(result, await listOf(store));
      for (const [visitor, lot] of lots) expect(await numberOf(visitor)).toBe(numbers.get(lot));
      await store.takeNumbersBack('concert', 'first', 30);
      expect(await join('c')).toMatchObject({ number: 31, position: 21 });
      expect(await look('v1')).toMatchObject({ state: 'waiting', lot: lots.get('v1') });
    });

    it('places a number of tier 1 that arrives after the draw has begun behind all lots (2, 7)', async () => {
      const { store, join, look, advance, finish } = await openDrawRoom();
      for (const visitor of ['a', 'b', 'c']) await join(visitor);
      await store.handOverNumbers('concert', 'first');
      await advance(OPENS_IN_MS);
      await store.tick('concert');
      await store.takeNumbersBack('concert', 'first', 50);
      const exchange = async (visitor: string, number: number) =>
        standingOf(await store.joinWithNumber('concert', visitor, number));
      expect(await exchange('late', 2)).toMatchObject({ state: 'waiting', number: 51, position: 4 });
      await finish();
      expect(await exchange('later', 1)).toMatchObject({ number: 52, position: 5 });
      expect(await look('late')).toMatchObject({ number: 51, position: 4 });
      await store.sweep('concert');
      for (const visitor of ['a', 'b', 'c']) expect((await look(visitor)).state).toBe('waiting');
    });

    it('counts stay as being seen in the lobby', async () => {
      const { store, join, look, advance } = await openDrawRoom({ seenTtlMs: 5_000 });
      for (const visitor of ['stays', 'silent']) await join(visitor);
      for (let i = 0; i < 3; i += 1) {
        await advance(4_000);
        await store.tick('concert');
        expect(await store.stay('concert', 'stays')).toMatchObject({ standing: { state: 'lobby' } });
      }
      await store.sweep('concert');
      expect([(await look('stays')).state, (await look('silent')).state]).toEqual(['lobby', 'absent']);
    });

    it.each(['tick', 'join', 'draw'] as const)(
      'counts everyone as present if nothing ticked before the opening, when a %s begins the draw',
      async (verb) => {
        const { store, join, look, advance, tick, finish } = await openDrawRoom({ seenTtlMs: 40_000 });
        for (const visitor of ['a', 'b']) await join(visitor);
        await tick();
        await advance(3_600_000);
        await store.sweep('concert');
        if (verb === 'join') await join('late');
        else await store[verb]('concert');
        await finish();
        await tick();
        expect(await listOf(store)).toHaveLength(2);
        for (const visitor of ['a', 'b']) expect((await look(visitor)).state).toBe('waiting');
      },
    );

    it('still treats visitors as silent who were silent before a standstill, until a tick ends it', async () => {
      const { store, join, advance, tick } = await openDrawRoom({ seenTtlMs: 5_000 });
      await join('silent');
      await tick();
      await advance(6_000);
      await tick();
      await advance(3_600_000);
      while ((await store.draw('concert')).outcome === 'drawing');
      expect(await listOf(store)).toHaveLength(0);
    });

    it('does not count visitors who leave the lobby as departures of the line', async () => {
      const { store, join, advance, finish } = await openDrawRoom();
      for (const visitor of ['a', 'b', 'c', 'd']) await join(visitor);
      await store.tick('concert');
      await advance(OPENS_IN_MS - 1_000);
      await store.tick('concert');
      await store.leave('concert', 'a');
      await advance(1_000);
      await finish();
      const departPerSecond = async () => {
        await advance(1_000);
        await store.tick('concert');
        return (await store.findRoom('concert'))!.crowd.pace.departPerSecond;
      };
      expect(await departPerSecond()).toBe(0);
      await store.leave('concert', 'b');
      expect(await departPerSecond()).toBeGreaterThan(0);
    });

    it('can change to fifo while nobody is in the lobby', async () => {
      const { store, join } = await openDrawRoom();
      await join('a');
      await store.leave('concert', 'a');
      expect(await store.putRoom('concert', { order: 'fifo' })).toMatchObject({ outcome: 'changed' });
      expect(await store.findDraw('concert')).toBeUndefined();
      expect(await join('a')).toMatchObject({ state: 'waiting', number: 1 });
    });

    it('completes a draw without visitors, and continues in order of arrival', async () => {
      const { store, join, advance, finish, tick } = await openDrawRoom({ maxActive: 1 });
      await advance(OPENS_IN_MS);
      expect(await join('a')).toMatchObject({ state: 'waiting', number: 1, position: 1 });
      await finish();
      expect(await store.findDraw('concert')).toMatchObject({ phase: 'drawn', entries: 0 });
      expect(await tick()).toEqual(['a']);
    });

    it('reports no draw for rooms without one', async () => {
      const { store } = await openDrawRoom();
      await store.putRoom('plain', {});
      expect(await store.draw('plain')).toEqual({ outcome: 'nothing' });
      expect(await store.findDraw('plain')).toBeUndefined();
      expect(await store.draw('unknown')).toEqual({ outcome: 'no-room' });
      expect(await store.findDraw('unknown')).toBeUndefined();
      expect(await store.readDrawEntries('unknown', 0, 10)).toHaveLength(0);
    });
  });
}

function createSteps(store: LineStore) {
  const look = async (visitor: string) => standingOf(await store.look('concert', visitor));
  return {
    look,
    join: async (visitor: string) => standingOf(await store.join('concert', visitor)),
    numberOf: async (visitor: string) => numberIn(await look(visitor)),
    finish: () => finishDraw(store, 'concert'),
    tick: async () => {
      const tick = await store.tick('concert');
      return tick.outcome === 'ticked' ? tick.admitted.map(({ visitor }) => visitor) : [];
    },
  };
}

export async function finishDraw(draws: Draws, eventId: string): Promise<void> {
  for (;;) {
    const { outcome } = await draws.draw(eventId);
    if (outcome === 'drawn') return;
    if (outcome !== 'drawing') throw new Error(`expected a draw, got ${outcome}`);
  }
}

async function listOf(store: LineStore): Promise<string[]> {
  const hex = (await store.readDrawEntries('concert', 0, 1_000_000)).toString('hex');
  return hex.match(/.{32}/g) ?? [];
}

function standingOf(outcome: { outcome: string }): Standing {
  if ('standing' in outcome) return outcome.standing as Standing;
  throw new Error(`expected a standing, got ${JSON.stringify(outcome)}`);
}

function lotOf(standing: Standing): string {
  if (standing.state !== 'lobby') throw new Error(`expected a visitor in the lobby, got ${standing.state}`);
  return standing.lot;
}

function placeIn(standing: Standing): string {
  if (standing.state === 'absent') throw new Error('expected a place');
  return placeIdOf(standing);
}

function numberIn(standing: Standing): number {
  if (!('number' in standing)) throw new Error(`expected a number, got ${standing.state}`);
  return standing.number;
}

async function nowOf(store: LineStore): Promise<number> {
  await store.putRoom('clock', { state: 'paused' });
  const standing = standingOf(await store.join('clock', 'somebody'));
  if (standing.state !== 'waiting') throw new Error('expected the visitor to wait');
  return standing.joinedAt;
}
