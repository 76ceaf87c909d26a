import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { LineStore } from '../../src/line/store/line-store.ts';
import { MemoryLineStore } from '../../src/line/store/memory/memory-line-store.ts';
import { LEASE_MS } from '../../src/line/store/room-watch.ts';
import { RulerWatch } from '../../src/line/store/ruler-watch.ts';
import { StoreUnavailableError } from '../../src/platform/store-unavailable-error.ts';
import { createRandom } from '../../src/simulate/random.ts';
import { testRoomDefaults } from '../support/rooms.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { until } from '../support/until.ts';
import { createVirtualTime } from '../support/virtual-time.ts';

const log = pino({ level: 'silent' });

/** A line of `waiters`, watched through a store that counts its calls and can be disconnected. */
async function watchLine(waiters: number) {
  const clock = createVirtualTime();
  const real = await MemoryLineStore.open({
    dir: tempFolder(),
    defaults: testRoomDefaults(),
    tickMs: 1_000,
    clock,
    log,
  });
  onTestFinished(() => real.close());
  const calls = { look: 0, stay: 0, find: 0, findPulse: 0 };
  const link = { isCut: false, losesLooks: false };
  const counted = (name: keyof typeof calls) =>
    (async (eventId: string, visitor: string) => {
      calls[name] += 1;
      if (link.isCut || (link.losesLooks && name === 'look')) throw new StoreUnavailableError('cut off');
      return real[name](eventId, visitor);
    }) as never;
  const store: LineStore = Object.assign(Object.create(real) as LineStore, {
    look: counted('look'),
    stay: counted('stay'),
    findPulse: counted('findPulse'),
    leave: (eventId: string, visitor: string) => real.leave(eventId, visitor),
    join: (eventId: string, visitor: string) => real.join(eventId, visitor),
    find: counted('find'),
  });
  await real.putRoom('concert', { maxActive: 0, batchSize: 10 });
  for (let i = 1; i <= waiters; i += 1) await real.join('concert', `v${i}`);
  await real.tick('concert');
  const watch = new RulerWatch({ visits: store, admissions: store, clock, delay: clock.delay, log, tickMs: 1_000 });
  const standing = async (visitor: string) => {
    const outcome = await watch.look('concert', visitor);
    if (outcome.outcome === 'no-room') throw new Error('the room is gone');
    return outcome.standing;
  };
  return { clock, real, watch, calls, link, standing };
}

describe('the ruler watch', () => {
  it('returns the store’s positions for both lanes, and queries it for visitors newer than the pulse', async () => {
    const { clock, real, calls, standing } = await watchLine(0);
    await real.putRoom('concert', { maxActive: 0, priorityShare: 25 });
    for (let i = 1; i <= 20; i += 1) await real.join('concert', `v${i}`, { priority: i <= 8 });
    const visitors = Array.from({ length: 20 }, (_, i) => `v${i + 1}`);
    const read = () => Promise.all(visitors.map(standing));
    const truth = async () => {
      const found = await Promise.all(visitors.map((visitor) => real.find('concert', visitor)));
      return found.map((each) => 'standing' in each && each.standing);
    };
    clock.advance(1_000);
    await real.tick('concert');
    expect(await read()).toEqual(await truth());
    await real.putRoom('concert', { maxActive: 6 });
    await clock.pass(1_000);
    await real.tick('concert');
    await clock.pass(LEASE_MS);
    const looks = calls.look;
    expect(await read()).toEqual(await truth());
    // Only visitors whose turn has come.
    expect(calls.look).toBe(looks + 6);
    clock.advance(100);
    for (let i = 1; i <= 9; i += 1) await real.join('concert', `late${i}`);
    await real.join('concert', 'new', { priority: true });
    visitors.splice(0, visitors.length, 'new');
    expect(await read()).toEqual(await truth());
    expect(await read()).toEqual(await truth());
  });

  it('answers polls without the store: one look per new visitor and one read per tick', async () => {
    const { clock, real, calls, standing } = await watchLine(200);
    for (let second = 0; second < 8; second += 1) {
      for (let i = 151; i <= 200; i += 1)
        expect(await standing(`v${i}`)).toMatchObject({ state: 'waiting', position: i });
      clock.advance(1_000);
      await real.tick('concert');
    }
    expect(calls.look).toBe(50);
    expect(calls.findPulse).toBeLessThanOrEqual(9);
  });

  it('returns an admission once the ruler has passed the visitor, and marks them active', async () => {
    const { clock, real, standing } = await watchLine(30);
    for (let i = 1; i <= 30; i += 1) await standing(`v${i}`);
    await real.putRoom('concert', { maxActive: 10 });
    await clock.pass(1_000);
    await real.tick('concert');
    await clock.pass(LEASE_MS);
    await until('the new ruler to be read', async () => (await standing('v10')).state === 'active');
    expect(await standing('v11')).toMatchObject({ state: 'waiting', position: 1 });
  });

  it('answers stay without the store, and never activates anyone', async () => {
    const { clock, real, watch, calls } = await watchLine(170);
    const stay = async (visitor: string) => {
      const outcome = await watch.stay('concert', visitor);
      return outcome.outcome === 'found' ? outcome.standing : undefined;
    };
    for (let second = 0; second < 8; second += 1) {
      for (let i = 151; i <= 170; i += 1) expect(await stay(`v${i}`)).toMatchObject({ state: 'waiting', position: i });
      clock.advance(1_000);
      await real.tick('concert');
    }
    expect(calls).toMatchObject({ look: 0, stay: 20 });
    await real.putRoom('concert', { maxActive: 160, batchSize: 160 });
    await real.tick('concert');
    clock.advance(10_000);
    await until('the new ruler to be read', async () => (await stay('v160'))?.state === 'admitted');
    expect(await stay('v160')).toMatchObject({ state: 'admitted' });
    expect(calls.look).toBe(0);
  });

  it('keeps a polling visitor in line, and lets a silent one lapse', async () => {
    const { clock, real, standing } = await watchLine(2);
    await standing('v1');
    await standing('v2');
    for (let second = 0; second < 700; second += 5) {
      clock.advance(5_000);
      await real.tick('concert');
      await standing('v1');
    }
    await real.sweep('concert');
    expect(await real.find('concert', 'v1')).toMatchObject({ standing: { state: 'waiting', position: 1 } });
    expect(await real.find('concert', 'v2')).toMatchObject({ standing: { state: 'absent' } });
  });

  it('passes a sign of life on again with the next poll if it did not reach the store', async () => {
    const { clock, real, link, calls, standing } = await watchLine(200);
    const second = async () => {
      clock.advance(1_000);
      await real.tick('concert');
      return standing('v190');
    };
    for (let i = 0; i < 10; i += 1) await second();
    expect(calls.look).toBe(1);
    link.losesLooks = true;
    for (let i = 0; i < 2; i += 1) expect(await second()).toMatchObject({ state: 'waiting' });
    expect(calls.look).toBe(3);
    link.losesLooks = false;
    for (let i = 0; i < 5; i += 1) await second();
    expect(calls.look).toBe(4);
  });

  it('passes on every second poll of the first hundred, who may be passed over after 12 s', async () => {
    const { clock, real, calls, standing } = await watchLine(150);
    for (let second = 0; second < 8; second += 1) {
      for (let i = 1; i <= 150; i += 1) await standing(`v${i}`);
      clock.advance(1_000);
      await real.tick('concert');
    }
    // At first all 150; then three times those up to 1.2 times the first hundred.
    expect(calls.look).toBe(150 + 3 * 120);
  });

  it('lets nobody who polls within 10 s be passed over, and everybody who does not', async () => {
    const { clock, real, standing } = await watchLine(300);
    await real.putRoom('concert', { maxActive: 1_000, admitPerSecond: 6 });
    const random = createRandom(17);
    const silent = new Set(Array.from({ length: 300 }, (_, i) => `v${i + 1}`).filter(() => random() < 0.2));
    const pollAt = new Map(Array.from({ length: 300 }, (_, i) => [`v${i + 1}`, clock.now() + random() * 1_000]));
    for (const visitor of pollAt.keys()) await standing(visitor);
    const admitted: string[] = [];
    let passedOver = 0;
    for (let quarter = 1; quarter <= 4 * 60; quarter += 1) {
      clock.advance(250);
      for (const [visitor, at] of pollAt) {
        if (silent.has(visitor) || at > clock.now()) continue;
        await standing(visitor);
        pollAt.set(visitor, clock.now() + 1_000 + random() * 8_500);
      }
      if (quarter % 4 > 0) continue;
      const tick = await real.tick('concert');
      if (tick.outcome === 'no-room') throw new Error('the room is gone');
      passedOver += tick.tally.passedOver;
      admitted.push(...tick.admitted.map(({ visitor }) => visitor));
    }
    const present = [...pollAt.keys()].filter((visitor) => !silent.has(visitor));
    expect(admitted.filter((visitor) => !silent.has(visitor))).toEqual(present);
    // Who was admitted before 20.5 s had passed could not be known to be away.
    const early = admitted.filter((visitor) => silent.has(visitor)).map((visitor) => Number(visitor.slice(1)));
    expect(Math.max(...early)).toBeLessThan(6 * 21 * 1.3);
    expect(passedOver).toBe(silent.size - early.length);
  });

  it('notices a place that was left elsewhere at the next heartbeat, and one left here at once', async () => {
    const { clock, real, watch, standing } = await watchLine(3);
    for (const visitor of ['v1', 'v2', 'v3']) await standing(visitor);
    await real.leave('concert', 'v2');
    await watch.leave('concert', 'v3');
    expect((await standing('v3')).state).toBe('absent');
    clock.advance(10_000);
    await real.tick('concert');
    await until('the place to be missed', async () => (await standing('v2')).state === 'absent');
  });

  it('queries the store after a long time without ticks, and keeps serving while it is unavailable', async () => {
    const { clock, link, calls, standing } = await watchLine(5);
    await standing('v3');
    await standing('v3');
    clock.advance(6_000);
    const before = calls.look;
    expect(await standing('v3')).toMatchObject({ state: 'waiting', position: 3 });
    expect(calls.look).toBe(before + 1);
    link.isCut = true;
    await clock.pass(60_000);
    expect(await standing('v3')).toMatchObject({ state: 'waiting', position: 3 });
    await expect(standing('v4'), 'a visitor unknown to this process gets an error').rejects.toThrow(
      StoreUnavailableError,
    );
  });

  it('keeps serving a visitor who polled only once before the store became unavailable', async () => {
    const { link, standing } = await watchLine(5);
    await standing('v3');
    link.isCut = true;
    expect(await standing('v3')).toMatchObject({ state: 'waiting', number: 3, position: 3 });
  });

  it('keeps serving a visitor who only joined before the store became unavailable', async () => {
    const { link, watch, standing } = await watchLine(5);
    await watch.join('concert', 'new');
    link.isCut = true;
    expect(await standing('new')).toMatchObject({ state: 'waiting', number: 6, position: 6 });
  });

  it('does not say that a visitor waits whom the head has passed, or who shows an entry token (6)', async () => {
    const { clock, real, watch, link, standing } = await watchLine(5);
    for (const visitor of ['v1', 'v2']) await standing(visitor);
    await real.putRoom('concert', { maxActive: 1 });
    await clock.pass(1_000);
    await real.tick('concert');
    await clock.pass(200);
    link.isCut = true;
    await clock.pass(2_000);
    await expect(standing('v1'), 'passed').rejects.toThrow(StoreUnavailableError);
    expect(await standing('v2')).toMatchObject({ state: 'waiting', position: 1 });
    await expect(watch.look('concert', 'v2', { wasAdmitted: true })).rejects.toThrow(StoreUnavailableError);
  });

  it('does not say that a visitor waits if it had not looked for long when the store failed (6)', async () => {
    const { clock, link, standing } = await watchLine(5);
    await standing('v3');
    // Timers do not run: the process is too busy to read.
    clock.advance(300);
    link.isCut = true;
    await expect(standing('v3')).rejects.toThrow(StoreUnavailableError);
  });

  it('asks the store about a visitor who shows an entry token, each time', async () => {
    const { watch, calls, standing } = await watchLine(5);
    await standing('v3');
    await standing('v3');
    const before = calls.look;
    await watch.look('concert', 'v3', { wasAdmitted: true });
    expect(calls.look).toBe(before + 1);
  });

  it('tells an admission once it is as old as a lease, and only if the store is still there (6)', async () => {
    const { clock, real, link, watch } = await watchLine(5);
    await real.putRoom('concert', { maxActive: 2 });
    clock.advance(1_000);
    const admittedAt = clock.now();
    await real.tick('concert');
    clock.advance(50);
    const told: { what: string; at: number }[] = [];
    const look = (visitor: string) =>
      watch.look('concert', visitor).then(
        (outcome) => told.push({ what: 'standing' in outcome ? outcome.standing.state : '', at: clock.now() }),
        () => told.push({ what: 'refused', at: clock.now() }),
      );
    const answers = (count: number) =>
      until('the answer', async () => {
        await clock.pass(1);
        return told.length === count;
      });
    void look('v1');
    await answers(1);
    expect(told[0]!.what).toBe('active');
    expect(told[0]!.at - admittedAt).toBeGreaterThanOrEqual(LEASE_MS);

    await real.putRoom('concert', { maxActive: 3 });
    await real.tick('concert');
    void look('v3');
    await until('the look', async () => (await real.findRoom('concert'))?.crowd.active === 2);
    link.isCut = true;
    await answers(2);
    expect(told[1]!.what).toBe('refused');
  });

  it('tells a visitor who goes straight in at once', async () => {
    const { real, watch } = await watchLine(0);
    await real.putRoom('concert', { maxActive: 1 });
    expect(await watch.join('concert', 'a')).toMatchObject({ standing: { state: 'active' } });
  });

  it('reports a missing room', async () => {
    const { watch } = await watchLine(1);
    expect(await watch.look('other', 'v1')).toEqual({ outcome: 'no-room' });
  });

  it('serves the lobby without the store until the draw begins, and then the number from the store', async () => {
    const { clock, real, calls, standing } = await watchLine(0);
    const opensAt = new Date(clock.now() + 5_000).toISOString();
    await real.putRoom('concert', { order: 'draw', opensAt });
    for (const visitor of ['a', 'b']) await real.join('concert', visitor);
    await real.tick('concert');
    for (let second = 0; second < 4; second += 1) {
      for (const visitor of ['a', 'b']) expect((await standing(visitor)).state).toBe('lobby');
      clock.advance(1_000);
      await real.tick('concert');
    }
    expect(calls.look).toBe(2);
    clock.advance(1_000);
    await real.tick('concert');
    while ((await real.draw('concert')).outcome !== 'drawn');
    for (const visitor of ['a', 'b']) {
      await until('the drawn number', async () => (await standing(visitor)).state === 'waiting');
    }
  });
});
