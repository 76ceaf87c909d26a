/** Rooms and visitors that come and go leave nothing in a process: what it keeps follows those who are there. */
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { toGateRooms } from '../../src/gate/http/gate-routes.ts';
import { KnownGateRooms } from '../../src/gate/lookups/known-gate-rooms.ts';
import { AccountRule } from '../../src/line/account-rule.ts';
import { type DrawBook, DrawRunner } from '../../src/line/draw/draw-runner.ts';
import { createDrawSecrets } from '../../src/line/draw/draw-secrets.ts';
import { EventCounter } from '../../src/line/event-counter.ts';
import { Priority } from '../../src/line/priority.ts';
import { IN_USE_AFTER_MS, RoomsInUse } from '../../src/line/rooms-in-use.ts';
import { MemoryLineStore } from '../../src/line/store/memory/memory-line-store.ts';
import { RulerWatch } from '../../src/line/store/ruler-watch.ts';
import { RoomHistory } from '../../src/operations/room-history.ts';
import { CounterCache } from '../../src/tier1/counter-cache.ts';
import { testRoomDefaults } from '../support/rooms.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { createTestClock } from '../support/test-clock.ts';
import { createVirtualTime, settle } from '../support/virtual-time.ts';

const ROOMS = 100;
const log = pino({ level: 'silent' });

async function openLine() {
  const clock = createVirtualTime();
  const defaults = testRoomDefaults();
  const store = await MemoryLineStore.open({ dir: tempFolder(), defaults, tickMs: 1_000, clock, log });
  onTestFinished(() => store.close());
  return { clock, store };
}

describe('the ruler watch', () => {
  it('forgets rooms that nobody polls any more, and knows them again when they are used', async () => {
    const { clock, store } = await openLine();
    const watch = new RulerWatch({ visits: store, admissions: store, clock, delay: clock.delay, log, tickMs: 1_000 });
    for (let no = 0; no < ROOMS; no += 1) {
      await store.putRoom(`sale-${no}`, { maxActive: 0 });
      for (let i = 0; i < 3; i += 1) await watch.join(`sale-${no}`, `v${i}`);
    }
    expect(watch.size).toEqual({ rooms: ROOMS, waiters: 3 * ROOMS });
    clock.advance(66_000);
    await clock.pass(1_000);
    expect(watch.size).toEqual({ rooms: 0, waiters: 0 });
    expect(await watch.look('sale-1', 'v2')).toMatchObject({ standing: { state: 'waiting', position: 3 } });
    expect(watch.size).toEqual({ rooms: 1, waiters: 1 });
  });

  it('forgets waiters who ended elsewhere, while others go on to poll the room', async () => {
    const { clock, store } = await openLine();
    const watch = new RulerWatch({ visits: store, admissions: store, clock, delay: clock.delay, log, tickMs: 1_000 });
    await store.putRoom('sale', { maxActive: 0 });
    for (let no = 0; no < 1_000; no += 1) {
      await watch.join('sale', `v${no}`);
      // In another process.
      await store.leave('sale', `v${no}`);
      clock.advance(1_000);
      if (no % 10 === 0) await settle();
    }
    expect(watch.size.waiters).toBeLessThanOrEqual(140);
  });
});

describe('what a process knows of rooms for a second', () => {
  it('is forgotten when nobody uses them', async () => {
    const { clock, store } = await openLine();
    const accountRule = new AccountRule({ visits: store, clock });
    const members = { isMember: async () => false };
    const metrics = { countMemberCheck: () => {} };
    const priority = new Priority({ members, visits: store, metrics, log, clock });
    const counters = new CounterCache({ read: async () => undefined, clock });
    const use = async (eventId: string) => {
      await store.putRoom(eventId, {});
      const { crowd } = (await store.findRoom(eventId))!;
      accountRule.note(eventId, crowd);
      priority.note(eventId, crowd);
      await counters.find(eventId);
    };
    const sizes = () => [accountRule.size, priority.size, counters.size];
    for (let no = 0; no < ROOMS; no += 1) await use(`sale-${no}`);
    expect(sizes()).toEqual([ROOMS, ROOMS, ROOMS]);
    for (const eventId of ['one', 'two']) {
      clock.advance(60_000);
      await use(eventId);
    }
    expect(sizes()).toEqual([2, 2, 2]);
  });
});

describe('counters by event', () => {
  it('forget events that nobody uses any more', async () => {
    const clock = createTestClock();
    const registry = new Registry();
    const counter = new EventCounter({ name: 'places', help: 'x', label: 'reason', registers: [registry], clock });
    for (let no = 0; no < ROOMS; no += 1) counter.inc(`sale-${no}`, 2, 'lapsed');
    expect(counter.size).toBe(ROOMS);
    clock.advance(IN_USE_AFTER_MS + 1);
    counter.inc('now', 1, 'lapsed');
    counter.inc('now', 3, 'no_show');
    expect(counter.size).toBe(1);
    const lines = (await registry.metrics()).split('\n').filter((line) => line.startsWith('places'));
    expect(lines).toEqual(['places{event="now",reason="lapsed"} 1', 'places{event="now",reason="no_show"} 3']);
  });
});

describe('what looks at rooms all the time', () => {
  it('reads rooms in use only, and no longer than a quarter of an hour after', async () => {
    const { clock, store } = await openLine();
    let reads = 0;
    const rooms = {
      findRoom: (eventId: string) => {
        reads += 1;
        return store.findRoom(eventId);
      },
    };
    const inUse = new RoomsInUse({ rooms, admissions: store, clock });
    const history = new RoomHistory({ rooms: inUse, tickMs: 1_000, now: clock.now });
    for (let no = 0; no < ROOMS; no += 1) {
      await store.putRoom(`sale-${no}`, { maxActive: 1 });
      await store.join(`sale-${no}`, 'v');
    }
    await history.runOnce();
    expect(reads).toBe(ROOMS);
    for (let no = 0; no < ROOMS; no += 1) {
      await store.leave(`sale-${no}`, 'v');
      await store.tick(`sale-${no}`);
    }
    await history.runOnce();
    expect(history.since('sale-1', 0)).toHaveLength(2);
    clock.advance(IN_USE_AFTER_MS + 1);
    await history.runOnce();
    expect(inUse.size).toBe(0);
    expect(history.since('sale-1', 0)).toEqual([]);
    reads = 0;
    await history.runOnce();
    expect(reads).toBe(0);
    await store.join('sale-1', 'v');
    await history.runOnce();
    expect(history.since('sale-1', 0)).toHaveLength(1);
  });

  it('reads all rooms for gates only when settings have changed', async () => {
    const { clock, store } = await openLine();
    const reads = { all: 0, one: 0 };
    let changes = 0;
    const rooms = {
      countChanges: async () => changes,
      listRooms: () => {
        reads.all += 1;
        return store.listRooms();
      },
      findRoom: (eventId: string) => {
        reads.one += 1;
        return store.findRoom(eventId);
      },
    };
    for (let no = 0; no < ROOMS; no += 1) await store.putRoom(`sale-${no}`, {});
    await store.putRoom('main', { failOpen: { afterSeconds: 30, forMinutes: 5, perSecond: 1 } });
    const known = new KnownGateRooms({ rooms, toGateRooms, clock });
    for (let look = 0; look < 50; look += 1) expect((await known.find()).rooms).toHaveLength(1);
    expect(reads).toEqual({ all: 1, one: 49 });
    await store.putRoom('other', { failOpen: { afterSeconds: 30, forMinutes: 5, perSecond: 1 } });
    changes += 1;
    expect((await known.find()).rooms).toHaveLength(2);
  });
});

describe('a draw that another process finishes', () => {
  it('leaves nothing in memory', async () => {
    const clock = createTestClock();
    const secrets = createDrawSecrets();
    const nothing = async () => {};
    const book: DrawBook = {
      open: async () => ({
        ...{ ...secrets, phase: 'drawing', firstNumber: 1, lastArrival: 1_000 },
        ...{ gatheredTo: 1_000, count: 1_000, firstInLobby: 1 },
      }),
      readLobby: async () => [],
      readPresent: async (_, from, count) => Buffer.alloc(16 * count, from + 1),
      ...{ addPresent: nothing, writeEntries: nothing, giveNumbers: nothing, finish: nothing },
    };
    const runner = new DrawRunner(book, clock);
    for (let no = 0; no < 5; no += 1) await runner.step(`draw-${no}`);
    expect(runner.size).toBe(5);
    clock.advance(60_001);
    await runner.step('draw-4');
    runner.forgetUnused();
    expect(runner.size).toBe(1);
  });
});
