import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type EstimateInput,
  estimateWait,
  nextPollSeconds,
  type WaitEstimate,
} from '../../src/line/estimate/estimate.ts';
import { type Pace, unmeasured } from '../../src/line/model/pace.ts';
import type { RoomSettings } from '../../src/line/model/room-settings.ts';
import { testRoomDefaults } from '../support/rooms.ts';

const NOW = Date.UTC(2026, 0, 1);
/** The mean age of those inside in the steady state, in slot times. */
const STEADY_AGE = 2 / Math.PI;

function paceOf(maxActive: number, slotSeconds: number, overrides: Partial<Pace> = {}): Pace {
  return {
    ...unmeasured,
    at: NOW,
    slotSeconds,
    slotError: 0.1,
    insideSeconds: maxActive * slotSeconds * STEADY_AGE,
    limits: { maxActive, perSecond: 100, isOpen: true },
    ...overrides,
  };
}

type Known = Extract<WaitEstimate, { known: true }>;

function expectKnown(input: EstimateInput): Known {
  const wait = estimateWait(input);
  if (!wait.known) throw new Error(`expected an estimate, not ${wait.reason}`);
  return wait;
}

describe('the waiting time', () => {
  const settings = testRoomDefaults({ maxActive: 100 });
  const full = { phase: 'open' as const, settings, inside: 100, tickMs: 1_000, pace: paceOf(100, 200) };

  it('follows the settings before the first tick: slots fill at the rate, then turn over', () => {
    const settings = testRoomDefaults({ maxActive: 1_000, batchSize: 100, activeTtlMs: 600_000 });
    const empty = { ...full, settings, inside: 0, pace: unmeasured };
    expect(expectKnown({ ...empty, position: 500 }).seconds).toBe(5);
    // 10 generations of 300 s; nobody has been inside for long, so the first exits come almost half a generation later.
    expect(expectKnown({ ...empty, position: 11_000 }).seconds).toBeGreaterThan(3_000);
    expect(expectKnown({ ...empty, position: 11_000 }).seconds).toBeLessThan(3_150);
  });

  it('is the time for enough slots to come free at the measured pace in the steady state', () => {
    expect(expectKnown({ ...full, position: 1_000 }).seconds).toBe(2_000);
  });

  it('follows the rate if that is slower than the slots', () => {
    const slow = { ...full, settings: { ...settings, admitPerSecond: 0.1 } };
    const wait = expectKnown({ ...slow, position: 100 });
    expect(wait.seconds).toBe(1_000);
    expect(wait.high - wait.low).toBeLessThan(70);
  });

  it('is longer at first if everyone inside has just been admitted', () => {
    const fresh = { ...full, pace: paceOf(100, 200, { insideSeconds: 0 }) };
    const old = { ...full, pace: paceOf(100, 200, { insideSeconds: 100 * 180 }) };
    expect(expectKnown({ ...fresh, position: 50 }).seconds).toBeGreaterThan(150);
    expect(expectKnown({ ...old, position: 50 }).seconds).toBeLessThan(100);
  });

  it('is shorter the more visitors ahead give up', () => {
    const leaving = { ...full, pace: paceOf(100, 200, { departPerSecond: 1 / 2_000 }) };
    // 1,000 ahead at 0.5 per second: ln(1 + 1) / 1 of them are admitted.
    expect(expectKnown({ ...leaving, position: 1_000 }).seconds).toBe(Math.ceil(2_000 * Math.LN2));
  });

  it('has a wider range and less confidence the less is known', () => {
    const sure = expectKnown({ ...full, position: 900 });
    const unsure = expectKnown({ ...full, position: 900, pace: paceOf(100, 200, { slotError: 0.5 }) });
    expect(unsure.high - unsure.low).toBeGreaterThan(2 * (sure.high - sure.low));
    expect(unsure.confidence).toBeLessThan(sure.confidence);
  });

  it('is a reason instead of a number where no honest number exists', () => {
    for (const phase of ['paused', 'not_open', 'closed'] as const) {
      expect(estimateWait({ ...full, phase, position: 5 })).toEqual({ known: false, reason: phase });
    }
    const noRoom = testRoomDefaults({ maxActive: 0 });
    expect(estimateWait({ ...full, settings: noRoom, position: 5 })).toEqual({ known: false, reason: 'no_room' });
  });

  it('is known only to as many visitors as the stock could serve', () => {
    const scarce = { ...full, settings: testRoomDefaults({ maxActive: 100, followStock: true }), inside: 30 };
    const stock = { slots: 40, isSoldOut: false };
    expect(estimateWait({ ...scarce, stock, position: 10 })).toMatchObject({ known: true });
    expect(estimateWait({ ...scarce, stock, position: 11 })).toEqual({ known: false, reason: 'few_left' });
    const soldOut = { slots: 0, isSoldOut: true };
    expect(estimateWait({ ...scarce, stock: soldOut, position: 1 })).toEqual({ known: false, reason: 'sold_out' });
  });

  it('reports a lowered limit before the next tick', () => {
    const lowered = { ...full, settings: { ...settings, maxActive: 50 }, position: 900 };
    expect(expectKnown(lowered).change).toBe('limit');
    expect(expectKnown(lowered).seconds).toBeGreaterThan(expectKnown({ ...full, position: 900 }).seconds);
  });

  it('reports a slower line only to visitors who wait for a slot', () => {
    const pace = paceOf(100, 200, { change: 'slower', changedAt: NOW });
    expect(expectKnown({ ...full, pace, position: 900 }).change).toBe('slower');
    expect(expectKnown({ ...full, inside: 0, pace, position: 50 }).change).toBeUndefined();
  });

  it('has no reason once the limit is as high as before, or higher', () => {
    // 100, lowered to 5 and raised to 400, all within a minute.
    const before = { maxActive: 100, perSecond: 100, slotSeconds: 200 };
    const pace = paceOf(5, 200, { change: 'limit', changedAt: NOW, before });
    const reasonAt = (maxActive: number) =>
      expectKnown({ ...full, settings: { ...settings, maxActive }, inside: 5, pace, position: 900 }).change;
    expect(reasonAt(400)).toBeUndefined();
    expect(reasonAt(100)).toBeUndefined();
    expect(reasonAt(99)).toBe('limit');
    expect(reasonAt(5)).toBe('limit');
  });

  it('has no reason for a visitor whose own wait is not longer', () => {
    const before = { maxActive: 100, perSecond: 100, slotSeconds: 200 };
    // The limit was lowered and raised again, and there is room for twice as many as before.
    const limit = paceOf(200, 200, { change: 'limit', changedAt: NOW, before });
    const wide = { ...settings, maxActive: 200 };
    expect(expectKnown({ ...full, settings: wide, inside: 200, pace: limit, position: 900 }).change).toBeUndefined();
    // The rate is lower, but all slots are taken for longer than that.
    const rate = paceOf(100, 200, { change: 'limit', changedAt: NOW, before });
    const slowRate = { ...settings, admitPerSecond: 50 };
    expect(expectKnown({ ...full, settings: slowRate, pace: rate, position: 900 }).change).toBeUndefined();
  });

  it('names the slow site only to visitors whom the lower rate keeps waiting', () => {
    const followHealth = { maxErrorShare: 0.1, maxP95Ms: 1_000, minPerSecond: 1 };
    const rated = { ...settings, admitPerSecond: 10, followHealth };
    const health = (perSecond: number) => ({
      ...{ perSecond, cause: 'errors' as const, errorShare: 0.5, p95Ms: 10 },
      ...{ decidedAt: NOW, loweredAt: NOW, risenTo: NOW },
    });
    const pace = paceOf(100, 200, { limits: { maxActive: 100, perSecond: 10, isOpen: true } });
    const reasonAt = (perSecond: number, inside: number, position: number) =>
      expectKnown({ ...full, settings: rated, pace, health: health(perSecond), inside, position }).change;
    expect(reasonAt(1, 0, 90)).toBe('site');
    expect(reasonAt(5, 100, 900)).toBeUndefined();
  });
});

describe('any waiting time', () => {
  const anySettings: fc.Arbitrary<RoomSettings> = fc
    .record({
      maxActive: fc.integer({ min: 1, max: 5_000 }),
      rate: fc.option(fc.double({ min: 0.01, max: 500, noNaN: true })),
    })
    .map(({ maxActive, rate }) =>
      testRoomDefaults(rate === null ? { maxActive } : { maxActive, admitPerSecond: rate }),
    );
  const anyInput = fc
    .record({
      settings: anySettings,
      inside: fc.integer({ min: 0, max: 10_000 }),
      slotSeconds: fc.double({ min: 0.5, max: 7_200, noNaN: true }),
      slotError: fc.double({ min: 0.01, max: 3, noNaN: true }),
      departPerSecond: fc.oneof(fc.constant(0), fc.double({ min: 1e-9, max: 1, noNaN: true })),
      age: fc.double({ min: 0, max: 7_200, noNaN: true }),
      measured: fc.boolean(),
    })
    .map(({ settings, inside, age, measured, ...measure }): Omit<EstimateInput, 'position'> => {
      const pace = { ...paceOf(settings.maxActive, 1), ...measure, insideSeconds: age * inside };
      return { settings, inside, phase: 'open', tickMs: 1_000, pace: measured ? pace : unmeasured };
    });
  const positions = fc.tuple(fc.integer({ min: 1, max: 1_000_000 }), fc.integer({ min: 1, max: 1_000_000 }));

  it('is finite and not negative, lies in its range, and never decreases with the position', () => {
    fc.assert(
      fc.property(anyInput, positions, (input, [a, b]) => {
        const near = expectKnown({ ...input, position: Math.min(a, b) });
        const far = expectKnown({ ...input, position: Math.max(a, b) });
        for (const { low, seconds, high, confidence } of [near, far]) {
          expect(low).toBeGreaterThanOrEqual(0);
          expect(low).toBeLessThanOrEqual(seconds);
          expect(seconds).toBeLessThanOrEqual(high);
          expect(Number.isSafeInteger(high)).toBe(true);
          expect(confidence).toBeGreaterThanOrEqual(0);
          expect(confidence).toBeLessThanOrEqual(1);
        }
        expect(far.seconds).toBeGreaterThanOrEqual(near.seconds);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('the polling schedule', () => {
  it.each([
    [undefined, 3],
    [1, 1],
    [1_000, 1],
    [1_001, 5],
    [5_000, 5],
    [5_001, 10],
    [10_000, 10],
    [10_001, 30],
    [100_000, 30],
    [100_001, 60],
    [5_000_000, 60],
  ])('makes position %s poll again after %s s', (position, seconds) => {
    expect(nextPollSeconds(position)).toBe(seconds);
  });
});
