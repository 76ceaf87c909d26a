import { pino } from 'pino';
import { Registry } from 'prom-client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createLineMetrics } from '../../src/line/line-metrics.ts';
import { runAdmitterOnce } from '../../src/line/roles/admitter.ts';
import { createSweeper } from '../../src/line/roles/sweeper.ts';
import { MemoryLineStore } from '../../src/line/store/memory/memory-line-store.ts';
import { StoreUnavailableError } from '../../src/platform/store-unavailable-error.ts';
import { testRoomDefaults } from '../support/rooms.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { createTestClock } from '../support/test-clock.ts';

/** Two rooms with a waiting visitor; the first is unreachable, as when one server of a cluster is down. */
async function openRooms() {
  const clock = createTestClock();
  const log = pino({ level: 'silent' });
  const real = await MemoryLineStore.open({
    dir: tempFolder(),
    defaults: testRoomDefaults(),
    tickMs: 1_000,
    clock,
    log,
  });
  onTestFinished(() => real.close());
  for (const eventId of ['cut-off', 'healthy']) {
    await real.putRoom(eventId, { maxActive: 0, seenTtlMs: 5_000 });
    await real.join(eventId, 'visitor');
  }
  const unlessCutOff =
    <T>(verb: (eventId: string) => Promise<T>) =>
    (eventId: string) =>
      eventId === 'cut-off' ? Promise.reject(new StoreUnavailableError('cut off')) : verb(eventId);
  const store = {
    listActiveEvents: () => real.listActiveEvents(),
    tryLockAdmission: () => real.tryLockAdmission(),
    draw: unlessCutOff((eventId) => real.draw(eventId)),
    tick: unlessCutOff((eventId) => real.tick(eventId)),
    sweep: unlessCutOff((eventId) => real.sweep(eventId)),
  };
  return { real, store, clock };
}

describe('an unreachable room', () => {
  it('does not stop admission in other rooms, and is reported', async () => {
    const { real, store } = await openRooms();
    await real.putRoom('healthy', { maxActive: 1 });
    const metrics = createLineMetrics(new Registry(), real);
    await expect(runAdmitterOnce({ admissions: store, draws: store, metrics })).rejects.toThrow('cut off');
    expect(await real.find('healthy', 'visitor')).toMatchObject({ standing: { state: 'admitted' } });
  });

  it('does not stop sweeps of other rooms, and is reported', async () => {
    const { real, store, clock } = await openRooms();
    clock.advance(5_000);
    await expect(createSweeper(store)()).rejects.toThrow('cut off');
    expect(await real.find('healthy', 'visitor')).toMatchObject({ standing: { state: 'absent' } });
  });
});

describe('a pass of the sweeper', () => {
  /** Rooms that need so many sweeps each. As a store does, a room that is done begins from its start when it is swept again. */
  function openSweeps(needed: Record<string, number>) {
    const swept: Record<string, number> = Object.fromEntries(Object.keys(needed).map((eventId) => [eventId, 0]));
    const store = {
      listActiveEvents: async () => Object.keys(needed),
      sweep: async (eventId: string) => {
        swept[eventId]! += 1;
        return { outcome: 'swept' as const, more: swept[eventId]! % needed[eventId]! !== 0 };
      },
    };
    return { swept, sweep: createSweeper(store) };
  }

  it('ends when each room was swept once, however long each takes', async () => {
    const { swept, sweep } = openSweeps({ short: 1, long: 3, longer: 5 });
    while ((await sweep()) === 'again');
    expect(swept).toEqual({ short: 1, long: 3, longer: 5 });
  });

  it('is followed by one over all rooms', async () => {
    const { swept, sweep } = openSweeps({ short: 1, long: 2 });
    while ((await sweep()) === 'again');
    while ((await sweep()) === 'again');
    expect(swept).toEqual({ short: 2, long: 4 });
  });

  it('makes one step at a time, and pauses after each that leaves work', async () => {
    const { swept, sweep } = openSweeps({ long: 3, short: 1, longer: 5 });
    expect(await sweep()).toBe('again');
    expect(swept).toEqual({ long: 1, short: 0, longer: 0 });
    // The others come first.
    expect(await sweep()).toBe('again');
    expect(swept).toEqual({ long: 1, short: 1, longer: 1 });
  });
});
