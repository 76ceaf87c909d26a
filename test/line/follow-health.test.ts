import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RoomSettings } from '../../src/line/model/room-settings.ts';
import {
  effectiveRate,
  type HealthWindow,
  LATENCY_BOUNDS_MS,
  LATENCY_BUCKETS,
  latencyBucketOf,
  noReports,
  p95Of,
  type SiteHealth,
} from '../../src/line/model/site-health.ts';
import { addReport, ENOUGH_RESPONSES, FULL_RISE_MS, QUIET_MS, stepHealth } from '../../src/line/rules/follow-health.ts';
import { testRoomDefaults } from '../support/rooms.ts';

const FULL = 20;
const FLOOR = 2;
const settings: RoomSettings = testRoomDefaults({
  admitPerSecond: FULL,
  followHealth: { maxErrorShare: 0.1, maxP95Ms: 1_000, minPerSecond: FLOOR },
});

/** All responses took `ms`. */
function windowOf(responses: number, errors: number, ms: number, since = 1): HealthWindow {
  const latencies = new Array<number>(LATENCY_BUCKETS).fill(0);
  latencies[latencyBucketOf(ms)] = responses;
  return { since, responses, errors, latencies };
}

const well = (since: number) => windowOf(100, 0, 50, since);
const slow = (since: number) => windowOf(100, 0, 5_000, since);
const failing = (since: number) => windowOf(100, 50, 50, since);

/** Steps once per second, each with a fresh window that began a second before. */
function run(count: number, toWindow: (since: number) => HealthWindow, from?: SiteHealth, start = 1_000_000) {
  let health = from;
  for (let i = 1; i <= count; i += 1) {
    const now = start + i * 1_000;
    health = stepHealth(health, toWindow(now - 1_000), settings, now).health;
  }
  return health!;
}

describe('the rate that follows the health of the site', () => {
  it('is the full rate while nothing is known and while the site is well', () => {
    expect(run(5, () => noReports)).toMatchObject({ perSecond: FULL, cause: undefined });
    expect(run(5, well)).toMatchObject({ perSecond: FULL, cause: undefined, errorShare: 0 });
  });

  it('is halved every two seconds while the site is slow or fails, down to the floor', () => {
    expect(run(1, slow)).toMatchObject({ perSecond: FULL / 2, cause: 'latency' });
    expect(run(2, slow).perSecond).toBe(FULL / 2);
    expect(run(3, failing)).toMatchObject({ perSecond: FULL / 4, cause: 'errors', errorShare: 0.5 });
    expect(run(60, failing).perSecond).toBe(FLOOR);
  });

  it('rises by a thirtieth of the full rate per second when the site is well again', () => {
    const low = run(20, slow);
    const risen = run(1, well, low, 1_020_000);
    expect(risen.perSecond).toBeCloseTo(FLOOR + FULL / 30, 10);
    expect(risen.cause).toBe('latency');
    expect(run(30, well, low, 1_020_000)).toMatchObject({ perSecond: FULL, cause: undefined });
  });

  it('does not change with too few responses', () => {
    const low = run(20, slow);
    const few = (since: number) => windowOf(ENOUGH_RESPONSES - 1, 0, 50, since);
    expect(run(10, few, low, 1_020_000)).toEqual(low);
    const fewFailing = (since: number) => windowOf(ENOUGH_RESPONSES - 1, 10, 50, since);
    expect(run(10, fewFailing)).toMatchObject({ perSecond: FULL, cause: undefined });
  });

  it('does not count reports that are older than five seconds', () => {
    const now = 1_000_000;
    const before = stepHealth(undefined, noReports, settings, now - 10_000).health;
    expect(stepHealth(before, slow(now - 5_001), settings, now).health.perSecond).toBe(FULL);
    expect(stepHealth(before, slow(now - 5_000), settings, now).health.perSecond).toBe(FULL / 2);
    const restarted = addReport(slow(now - 5_001), windowOf(3, 0, 20), now);
    expect(restarted).toMatchObject({ since: now, responses: 3 });
  });

  it('rises without reports after half a minute, but not while the few that come look bad', () => {
    const low = run(20, slow);
    const until = 1_020_000 + QUIET_MS;
    const quiet = stepHealth(low, noReports, settings, until).health;
    expect(quiet.perSecond).toBe(FLOOR);
    const later = stepHealth(quiet, noReports, settings, until + FULL_RISE_MS / 2).health;
    expect(later.perSecond).toBeCloseTo(FLOOR + FULL / 2, 10);
    expect(stepHealth(later, noReports, settings, until + FULL_RISE_MS).health.cause).toBeUndefined();
    const bad = windowOf(2, 2, 20, until + 14_000);
    expect(stepHealth(low, bad, settings, until + 15_000).health.perSecond).toBe(FLOOR);
  });

  it('is the full rate as long as the operator says so, and measures on', () => {
    const low = run(20, slow);
    const now = 1_020_000;
    const told = { ...settings, ignoreHealthUntil: new Date(now + 1).toISOString() };
    expect(stepHealth(low, slow(now - 1_000), told, now).health).toMatchObject({
      perSecond: FULL,
      cause: undefined,
      decidedAt: now,
    });
    expect(stepHealth(low, noReports, told, now).health.perSecond).toBe(FULL);
    expect(stepHealth(low, slow(now), told, now + 1_000).health).toMatchObject({ perSecond: FLOOR, cause: 'latency' });
  });

  it('follows changed settings', () => {
    const low = run(20, slow);
    const higher = { ...settings, followHealth: { ...settings.followHealth!, minPerSecond: 5 } };
    expect(stepHealth(low, noReports, higher, 1_020_500).health.perSecond).toBe(5);
    const faster = { ...settings, admitPerSecond: 40 };
    expect(stepHealth(run(3, well), noReports, faster, 1_005_000).health.perSecond).toBe(40);
    expect(effectiveRate({ admitPerSecond: 20 }, low)).toBe(20);
  });
});

const reports = fc.record({
  responses: fc.integer({ min: 0, max: 200 }),
  badness: fc.double({ min: 0, max: 1, noNaN: true }),
  ms: fc.constantFrom(5, 100, 900, 1_200, 9_000, 200_000),
  gapMs: fc.constantFrom(100, 1_000, 1_500, 4_000, 60_000),
});
const toWindow = ({ responses, badness, ms }: { responses: number; badness: number; ms: number }, now: number) =>
  windowOf(responses, Math.floor(responses * badness), ms, now - 1_000);

describe('for any history of reports, the rate', () => {
  it('stays between the floor and the full rate, and falls by half at most', () => {
    fc.assert(
      fc.property(fc.array(reports, { maxLength: 40 }), (history) => {
        let health: SiteHealth | undefined;
        let now = 1_000_000;
        for (const report of history) {
          now += report.gapMs;
          const before = health?.perSecond ?? FULL;
          health = stepHealth(health, toWindow(report, now), settings, now).health;
          expect(health.perSecond).toBeGreaterThanOrEqual(FLOOR);
          expect(health.perSecond).toBeLessThanOrEqual(FULL);
          expect(health.perSecond).toBeGreaterThanOrEqual(Math.max(FLOOR, before / 2));
          expect(health.cause === undefined).toBe(health.perSecond === FULL);
        }
      }),
    );
  });

  it('is never higher after a worse last report', () => {
    fc.assert(
      fc.property(
        fc.array(reports, { maxLength: 20 }),
        reports,
        fc.nat(50),
        fc.nat(20_000),
        (history, last, more, slower) => {
          let health: SiteHealth | undefined;
          let now = 1_000_000;
          for (const report of history) {
            now += report.gapMs;
            health = stepHealth(health, toWindow(report, now), settings, now).health;
          }
          now += last.gapMs;
          const better = toWindow(last, now);
          const errors = Math.min(better.responses, better.errors + more);
          const worse = windowOf(last.responses, errors, last.ms + slower, better.since);
          const rateAfter = (window: HealthWindow) => stepHealth(health, window, settings, now).health.perSecond;
          expect(rateAfter(worse)).toBeLessThanOrEqual(rateAfter(better));
        },
      ),
    );
  });
});

describe('the 95th percentile of the latency buckets', () => {
  it('is within a quarter of the true one', () => {
    const ms = fc.double({ min: 1, max: 60_000, noNaN: true });
    fc.assert(
      fc.property(fc.array(ms, { minLength: 20, maxLength: 300 }), (times) => {
        const latencies = new Array<number>(LATENCY_BUCKETS).fill(0);
        for (const time of times) latencies[latencyBucketOf(time)]! += 1;
        const truth = times.toSorted((a, b) => a - b)[Math.ceil(0.95 * times.length) - 1]!;
        const index = latencyBucketOf(truth);
        expect(p95Of(latencies)).toBeGreaterThanOrEqual(index === 0 ? 0 : LATENCY_BOUNDS_MS[index - 1]!);
        expect(p95Of(latencies)).toBeLessThanOrEqual(LATENCY_BOUNDS_MS[index]!);
      }),
    );
    expect(p95Of([])).toBe(0);
  });
});
