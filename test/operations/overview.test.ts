/** What operators see of their rooms: samples, alarms, and the overview endpoint. */
import { describe, expect, it } from 'vitest';
import { unmeasured } from '../../src/line/model/pace.ts';
import type { Crowd } from '../../src/line/model/standing.ts';
import { type Alarm, findAlarms } from '../../src/operations/alarms.ts';
import { createCachedRead } from '../../src/operations/cached-read.ts';
import { RoomHistory } from '../../src/operations/room-history.ts';
import { toSample, toShownWait } from '../../src/operations/room-sample.ts';
import { KEPT_SAMPLES, SampleWindow } from '../../src/operations/sample-window.ts';
import { testRoomDefaults } from '../support/rooms.ts';
import { createTestApp } from '../support/test-app.ts';
import { createTestClock } from '../support/test-clock.ts';

function crowdOf(facts: Partial<Crowd> = {}): Crowd {
  const settings = testRoomDefaults({ maxActive: 10 });
  return {
    at: 0,
    phase: 'open',
    settings,
    waiting: 0,
    away: 0,
    returnedAt: 0,
    admitted: 0,
    active: 0,
    pace: unmeasured,
    ...facts,
  };
}
type Look = { at: number; totals: { admitted: number; noShows: number } };
const sampleAt = (at: number, totals: Look['totals'], before?: Look) =>
  toSample({ at, crowd: crowdOf({ waiting: 5, admitted: 1, active: 2 }), totals, before, tickMs: 1_000 });

describe('a sample', () => {
  it('holds the state of the room and what happened since the previous sample', () => {
    const sample = sampleAt(2_000, { admitted: 9, noShows: 3 }, { at: 0, totals: { admitted: 4, noShows: 1 } });
    expect(sample).toMatchObject({ at: 2_000, waiting: 5, inside: 3, limit: 10, admitted: 5, noShows: 2, seconds: 2 });
    expect(sample.wait.middle).toBeLessThanOrEqual(sample.wait.last!);
  });

  it('counts nothing if it is the first, and the whole total after a reset', () => {
    expect(sampleAt(0, { admitted: 9, noShows: 3 })).toMatchObject({ admitted: 0, noShows: 0, seconds: 0 });
    const before = { at: 0, totals: { admitted: 9, noShows: 3 } };
    expect(sampleAt(1_000, { admitted: 2, noShows: 0 }, before)).toMatchObject({ admitted: 2, noShows: 0 });
  });

  it('has no waiting time while the room is paused', () => {
    const paused = crowdOf({ phase: 'paused', waiting: 5 });
    const { wait } = toSample({
      at: 0,
      crowd: paused,
      totals: { admitted: 0, noShows: 0 },
      before: undefined,
      tickMs: 1_000,
    });
    expect(wait).toEqual({ middle: null, last: null });
  });

  it('has the waiting time of a room that follows its stock', () => {
    const settings = testRoomDefaults({ maxActive: 10, followStock: true });
    const shownWith = (stock: Crowd['stock']) =>
      toShownWait(crowdOf({ settings, waiting: 5, active: 10, stock }), 1_000);
    expect(shownWith({ slots: 500, isSoldOut: false })).toEqual({
      middle: expect.any(Number),
      last: expect.any(Number),
    });
    expect(shownWith({ slots: 0, isSoldOut: true })).toEqual({ middle: null, last: null });
  });
});

describe('a sample window', () => {
  it('keeps a limited number of samples, and returns those since a time', () => {
    const series = new SampleWindow();
    for (let i = 1; i <= KEPT_SAMPLES + 10; i += 1) series.push(sampleAt(i, { admitted: i, noShows: 0 }));
    expect(series.since(0)).toHaveLength(KEPT_SAMPLES);
    expect(series.since(KEPT_SAMPLES + 8).map(({ at }) => at)).toEqual([KEPT_SAMPLES + 9, KEPT_SAMPLES + 10]);
  });

  it('sums up what happened in a period', () => {
    const series = new SampleWindow();
    expect(series.flow(10_000)).toEqual({ admitted: 0, noShows: 0, seconds: 0 });
    let before: Look | undefined;
    for (const at of [0, 2_000, 4_000, 6_000]) {
      const totals = { admitted: at / 1_000, noShows: at / 2_000 };
      series.push(sampleAt(at, totals, before));
      before = { at, totals };
    }
    expect(series.flow(4_000)).toEqual({ admitted: 4, noShows: 2, seconds: 4 });
    expect(series.flow(60_000)).toEqual({ admitted: 6, noShows: 3, seconds: 6 });
  });
});

describe('alarms', () => {
  const quiet = { admitted: 0, noShows: 0, seconds: 20 };
  const busy = { admitted: 100, noShows: 10, seconds: 300 };
  const closed = testRoomDefaults({ maxActive: 0 });
  const AT = 1_000_000;
  const followHealth = { maxErrorShare: 0.1, maxP95Ms: 500, minPerSecond: 1 };
  const following = testRoomDefaults({ maxActive: 10, admitPerSecond: 8, followHealth });
  const measured = { errorShare: 0, p95Ms: 0, decidedAt: AT - 1_000, loweredAt: AT - 1_000, risenTo: AT - 1_000 };
  const siteThat = (cause: 'errors' | 'latency') => ({
    settings: following,
    health: { perSecond: 4, cause, ...measured },
  });
  const cases: [string, Partial<Crowd>, Partial<{ lately: typeof quiet; minutes: typeof quiet }>, Alarm[]][] = [
    ['a busy room', { waiting: 5, active: 10 }, {}, []],
    ['an empty room', {}, { lately: quiet }, []],
    ['free slots and waiting visitors, but no admissions', { waiting: 5, active: 3 }, { lately: quiet }, ['stalled']],
    ['the same over too short a time', { waiting: 5, active: 3 }, { lately: { ...quiet, seconds: 4 } }, []],
    ['a limit of 0', { waiting: 5, settings: closed }, { lately: quiet }, ['no_room']],
    ['a pause while visitors wait', { waiting: 5, phase: 'paused' }, { lately: quiet }, ['paused']],
    ['a pause while nobody waits', { phase: 'paused' }, { lately: quiet }, []],
    ['visitors waiting in a closed room', { waiting: 5, phase: 'closed' }, {}, ['closed']],
    ['a lowered limit', { active: 11 }, {}, ['over_limit']],
    ['many no-shows', {}, { minutes: { admitted: 100, noShows: 40, seconds: 300 } }, ['no_shows']],
    ['many no-shows of few admissions', {}, { minutes: { admitted: 10, noShows: 9, seconds: 300 } }, []],
    ['a slow site', { waiting: 5, active: 5, ...siteThat('latency') }, {}, ['site_slow']],
    ['a failing site', { waiting: 5, active: 5, ...siteThat('errors') }, {}, ['site_failing']],
    ['a site that nobody reports on', { waiting: 5, active: 5, settings: following }, {}, ['no_reports']],
    ['visitors who stay longer', { waiting: 5, active: 10, pace: { ...unmeasured, change: 'slower' } }, {}, ['slower']],
  ];
  it.each(cases)('are correct for %s', (_name, facts, flows, alarms) => {
    expect(findAlarms({ at: AT, crowd: crowdOf(facts), lately: busy, minutes: busy, ...flows })).toEqual(alarms);
  });
});

describe('the room history', () => {
  it('keeps the busiest rooms if there are too many', async () => {
    const rooms = Array.from({ length: 300 }, (_, i) => ({
      eventId: `room-${i}`,
      epoch: 'x',
      overrides: {},
      crowd: crowdOf({ waiting: i }),
      totals: { admitted: 0, noShows: 0 },
    }));
    const roomHistory = new RoomHistory({ rooms: { listRooms: async () => [...rooms] }, tickMs: 1_000, now: () => 5 });
    await roomHistory.runOnce();
    expect(roomHistory.since('room-299', 0)).toHaveLength(1);
    expect(roomHistory.since('room-0', 0)).toEqual([]);
  });
});

describe('a cached read', () => {
  it('reads once for all callers within its lifetime, and again after that or after a failure', async () => {
    const clock = createTestClock();
    let reads = 0;
    const ask = createCachedRead(
      async () => {
        reads += 1;
        if (reads === 2) throw new Error('away');
        return reads;
      },
      500,
      clock,
    );
    expect(await Promise.all([ask(), ask()])).toEqual([1, 1]);
    clock.advance(500);
    await expect(ask()).rejects.toThrow('away');
    expect(await ask()).toBe(3);
  });
});

describe('GET /api/admin/overview', () => {
  it('returns all rooms, and the recent history of one', async () => {
    const { operator, as, context, clock } = await createTestApp();
    const { line, roomHistory } = context;
    await operator('PUT', '/api/admin/rooms/concert', { body: { maxActive: 1, claimTtlMs: 1_000 } });
    await operator('PUT', '/api/admin/rooms/play', { body: { state: 'paused' } });
    for (const user of ['a', 'b', 'c']) await as(user)('POST', '/api/queue/check/concert');
    await roomHistory.runOnce();
    await as('a')('POST', '/api/queue/leave/concert');
    clock.advance(2_000);
    await line.admissions.tick('concert');
    await roomHistory.runOnce();
    await operator('POST', '/api/admin/vwr/activate/play');

    const overview = (await operator('GET', '/api/admin/overview?history=concert')).json();
    expect(overview).toMatchObject({ fault: null, at: '2026-01-01T00:00:02.000Z' });
    const [concert, play] = overview.rooms;
    expect(concert).toMatchObject({ eventId: 'concert', phase: 'open', waiting: 1, admitted: 1, active: 0, limit: 1 });
    expect(concert).toMatchObject({ admittedPerSecond: 0.5, tier1: null, alarms: [] });
    expect(play).toMatchObject({ eventId: 'play', phase: 'paused', tier1: { state: 'active', waitingCount: 0 } });
    const { history } = overview;
    expect(history).toMatchObject({
      waiting: [2, 1],
      inside: [1, 1],
      limit: [1, 1],
      admittedPerSecond: [null, 0.5],
      noShowsPerMinute: [null, 0],
    });

    const since = (await operator('GET', `/api/admin/overview?history=concert&since=${history.at[0]}`)).json();
    expect(since.history.at).toEqual([history.at[1]]);
    expect((await operator('GET', '/api/admin/overview')).json()).not.toHaveProperty('history');
    expect((await operator('GET', '/api/admin/overview?history=nothing')).json().history.at).toEqual([]);
  });

  it('counts no-shows', async () => {
    const { operator, as, context, clock } = await createTestApp();
    const { line, roomHistory } = context;
    await operator('PUT', '/api/admin/rooms/concert', { body: { maxActive: 1, claimTtlMs: 1_000 } });
    for (const user of ['a', 'b']) await as(user)('POST', '/api/queue/check/concert');
    await as('a')('POST', '/api/queue/leave/concert');
    await line.admissions.tick('concert');
    await roomHistory.runOnce();
    clock.advance(2_000);
    await line.admissions.tick('concert');
    await roomHistory.runOnce();
    expect((await operator('GET', '/api/admin/overview?history=concert')).json().history.noShowsPerMinute).toEqual([
      null,
      30,
    ]);
  });

  it('is for operators only, and refuses invalid parameters', async () => {
    const { anyone, as, operator } = await createTestApp();
    for (const ask of [anyone, as('a')]) expect((await ask('GET', '/api/admin/overview')).statusCode).toBe(401);
    for (const query of ['history=a%20b', 'since=yesterday', 'more=1']) {
      expect((await operator('GET', `/api/admin/overview?${query}`)).statusCode, query).toBe(400);
    }
  });
});
