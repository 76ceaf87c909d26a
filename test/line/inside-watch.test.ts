import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { InsideStanding } from '../../src/line/model/standing.ts';
import { CONFIRMED_MS } from '../../src/line/store/inside-watch.ts';
import type { LineStore } from '../../src/line/store/line-store.ts';
import { MemoryLineStore } from '../../src/line/store/memory/memory-line-store.ts';
import { LEASE_MS } from '../../src/line/store/room-watch.ts';
import { RulerWatch } from '../../src/line/store/ruler-watch.ts';
import type { AskOptions } from '../../src/line/store/visits.ts';
import { StoreUnavailableError } from '../../src/platform/store-unavailable-error.ts';
import { testRoomDefaults } from '../support/rooms.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { until } from '../support/until.ts';
import { createVirtualTime, settle } from '../support/virtual-time.ts';

const log = pino({ level: 'silent' });
/** The longest time until signs of life are passed on. */
const SIGNS_MS = 1_000;

/** A room with visitors inside, watched through a store that counts its calls and can be disconnected. */
async function watchInside(visitors: string[], settings: object = {}) {
  const clock = createVirtualTime();
  const options = { dir: tempFolder(), defaults: testRoomDefaults(), tickMs: 1_000, clock, log };
  const real = await MemoryLineStore.open(options);
  onTestFinished(() => real.close());
  const calls = { look: 0, sign: 0, answered: 0 };
  const link: { isCut: boolean; isHeld?: Promise<void> } = { isCut: false };
  const store: LineStore = Object.assign(Object.create(real) as LineStore, {
    look: async (eventId: string, visitor: string, asked?: AskOptions) => {
      calls[asked?.isSign ? 'sign' : 'look'] += 1;
      if (link.isCut) throw new StoreUnavailableError('cut off');
      const outcome = await real.look(eventId, visitor, asked);
      await link.isHeld;
      calls.answered += 1;
      return outcome;
    },
    stay: (eventId: string, visitor: string, tokenId?: string) => real.stay(eventId, visitor, tokenId),
    join: (eventId: string, visitor: string) => real.join(eventId, visitor),
    leave: (eventId: string, visitor: string) => real.leave(eventId, visitor),
    find: (eventId: string, visitor: string) => real.find(eventId, visitor),
    findPulse: (eventId: string) => real.findPulse(eventId),
  });
  await real.putRoom('concert', { maxActive: visitors.length, ...settings });
  for (const visitor of visitors) await real.join('concert', visitor);
  const watch = new RulerWatch({ visits: store, admissions: store, clock, delay: clock.delay, log, tickMs: 1_000 });
  onTestFinished(() => watch.stop());
  const state = async (visitor: string) => {
    const outcome = await watch.look('concert', visitor);
    return 'standing' in outcome ? outcome.standing.state : outcome.outcome;
  };
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 1_000) {
      await clock.pass(Math.min(1_000, ms - passed));
      await real.tick('concert');
    }
  };
  return { clock, real, watch, calls, link, state, pass };
}

describe('the watch over visitors inside', () => {
  it('asks the store once about each, and then passes on one sign of life per poll at most', async () => {
    const visitors = ['a', 'b', 'c'];
    const { calls, state, pass } = await watchInside(visitors);
    for (let poll = 0; poll < 10; poll += 1) {
      for (const visitor of visitors) {
        expect(await state(visitor)).toBe('active');
        expect(await state(visitor)).toBe('active');
      }
      await pass(3_000);
    }
    expect(calls.look).toBe(3);
    expect(calls.sign).toBeLessThanOrEqual(30);
    expect(calls.sign).toBeGreaterThanOrEqual(27);
  });

  it('ends no session sooner than the last request plus its time (10)', async () => {
    const activeTtlMs = 20_000;
    const { real, state, pass, clock } = await watchInside(['a'], { activeTtlMs, activeMaxTtlMs: 3_600_000 });
    for (const pauseMs of [1_500, 400, 1_900, 900, 1_700, 500]) {
      expect(await state('a')).toBe('active');
      await pass(pauseMs);
    }
    const polledAt = clock.now();
    expect(await state('a')).toBe('active');
    await pass(SIGNS_MS);
    const found = await real.find('concert', 'a');
    const standing = 'standing' in found && found.standing;
    expect(standing).toMatchObject({ state: 'active' });
    expect((standing as { expiresAt: number }).expiresAt).toBeGreaterThanOrEqual(polledAt + activeTtlMs);
  });

  it('lets the session of a visitor who is silent end, and says so', async () => {
    const { state, pass } = await watchInside(['a'], { activeTtlMs: 20_000 });
    expect(await state('a')).toBe('active');
    expect(await state('a')).toBe('active');
    await pass(SIGNS_MS + 20_000);
    expect(await state('a')).toBe('absent');
  });

  it('says within the bound that a place was ended elsewhere, and at once if it was here', async () => {
    const { real, watch, state, clock } = await watchInside(['a', 'b']);
    for (const visitor of ['a', 'b']) expect(await state(visitor)).toBe('active');
    await real.leave('concert', 'a');
    await watch.leave('concert', 'b');
    expect(await state('b')).toBe('absent');
    clock.advance(CONFIRMED_MS);
    expect(await state('a')).toBe('absent');
  });

  it('notices with the next sign of life that a place was ended elsewhere', async () => {
    const { real, state, pass } = await watchInside(['a']);
    expect(await state('a')).toBe('active');
    await real.leave('concert', 'a');
    await state('a');
    await pass(SIGNS_MS);
    expect(await state('a')).toBe('absent');
  });

  it('does not remember the answer of a look that a leave has overtaken', async () => {
    const { watch, link, state } = await watchInside(['a']);
    let release = () => {};
    link.isHeld = new Promise((resolve) => {
      release = resolve;
    });
    const look = watch.look('concert', 'a');
    await watch.leave('concert', 'a');
    release();
    expect(await look).toMatchObject({ standing: { state: 'active' } });
    expect(await state('a')).toBe('absent');
  });

  it('tells an admission from memory no sooner than it may be told (6)', async () => {
    const { real, clock, watch, calls } = await watchInside([]);
    await real.putRoom('concert', { maxActive: 0 });
    await real.join('concert', 'a');
    await real.tick('concert');
    await real.putRoom('concert', { maxActive: 1 });
    clock.advance(1_000);
    const admittedAt = clock.now();
    await real.tick('concert');
    const toldAt: number[] = [];
    const look = () => watch.look('concert', 'a').then(() => toldAt.push(clock.now()));
    void look();
    await until('the first answer of the store', async () => calls.answered === 1);
    await settle();
    void look();
    await until('both answers', async () => {
      await clock.pass(1);
      return toldAt.length === 2;
    });
    for (const at of toldAt) expect(at - admittedAt).toBeGreaterThanOrEqual(LEASE_MS);
  });

  it('asks the store where the place is named, as gates and operators do', async () => {
    const { watch, clock } = await watchInside(['a']);
    const look = () => watch.look('concert', 'a') as Promise<{ standing: InsideStanding }>;
    const first = await look();
    clock.advance(2_000);
    const { standing } = await look();
    expect(standing).toEqual(first.standing);
    const asked = await watch.stay('concert', 'a', standing.tokenId);
    expect(asked).toMatchObject({ standing: { expiresAt: standing.expiresAt + 2_000 } });
  });

  it('asks the store each time where sessions are short', async () => {
    const { calls, state } = await watchInside(['a'], { activeTtlMs: 5_000 });
    await state('a');
    await state('a');
    expect(calls.look).toBe(2);
  });

  it('passes a sign of life on later if the store was away, and answers without it for no longer than the bound', async () => {
    const { calls, link, state, clock } = await watchInside(['a']);
    await state('a');
    link.isCut = true;
    expect(await state('a')).toBe('active');
    await clock.pass(CONFIRMED_MS);
    await expect(state('a')).rejects.toThrow(StoreUnavailableError);
    link.isCut = false;
    const before = calls.sign;
    await clock.pass(SIGNS_MS);
    expect(calls.sign).toBeGreaterThan(before);
    expect(await state('a')).toBe('active');
  });
});
