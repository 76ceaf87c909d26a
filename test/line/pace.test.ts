import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FASTEST_PER_SECOND, type PaceFacts, stepPace } from '../../src/line/estimate/pace.ts';
import { AdmissionHistory, type Stretch, type Windows } from '../../src/line/model/admission-history.ts';
import { type Pace, unmeasured } from '../../src/line/model/pace.ts';
import { testRoomDefaults } from '../support/rooms.ts';

const NOW = Date.UTC(2026, 0, 1);
const NOTHING: Stretch = { admitted: 0, movingMs: 0, freed: 0, slotMs: 0, agedMs: 0, departed: 0, waiterMs: 0 };
const settings = testRoomDefaults({ maxActive: 100, activeTtlMs: 600_000 });
const windowsOf = (stretch: Partial<Stretch>): Windows => {
  const whole = { ...NOTHING, ...stretch };
  return [whole, whole, whole];
};
const factsOf = (overrides: Partial<PaceFacts> = {}): PaceFacts => ({
  now: NOW,
  waiting: 1_000,
  inside: 100,
  insideSeconds: 0,
  settings,
  tickMs: 1_000,
  isOpen: true,
  windows: windowsOf({}),
  ...overrides,
});

/** 15 minutes of a room of 100 in the steady state, with this slot time. */
function steadyState(slotSeconds: number): Pick<PaceFacts, 'windows' | 'insideSeconds'> {
  const over = (seconds: number): Stretch => ({
    ...NOTHING,
    freed: (100 * seconds) / slotSeconds,
    slotMs: 100 * seconds * 1000,
    agedMs: 100 * seconds * 1000 * slotSeconds * (2 / Math.PI),
  });
  return { windows: [over(60), over(300), over(900)], insideSeconds: 100 * slotSeconds * (2 / Math.PI) };
}

describe('the slot time', () => {
  it('is half the session length, with a large error, while nobody has left', () => {
    expect(stepPace(unmeasured, factsOf())).toMatchObject({ slotSeconds: 300, slotError: 0.7, change: undefined });
  });

  it('follows the measured exits once there are enough', () => {
    const { slotSeconds, slotError } = stepPace(unmeasured, factsOf(steadyState(120)));
    expect(slotSeconds).toBeGreaterThan(117);
    expect(slotSeconds).toBeLessThan(123);
    expect(slotError).toBeLessThan(0.07);
  });

  it('is estimated from the first few exits and those still inside', () => {
    // After 100 s 20 of 100 have left, most of them just now: the hazard grows with the time inside.
    const windows = windowsOf({ freed: 20, slotMs: 9_300_000, agedMs: 450_000_000 });
    const { slotSeconds } = stepPace(unmeasured, factsOf({ windows, inside: 100, insideSeconds: 8_000 }));
    expect(slotSeconds).toBeGreaterThan(180);
    expect(slotSeconds).toBeLessThan(240);
  });

  it('is longer than the settings if everyone has already stayed longer', () => {
    const { slotSeconds } = stepPace(unmeasured, factsOf({ insideSeconds: 100 * 400 }));
    expect(slotSeconds).toBe(600);
  });

  it('is never longer than a session can last', () => {
    const fixed = testRoomDefaults({ maxActive: 100, activeTtlMs: 100_000, renew: false, claimTtlMs: 10_000 });
    const { slotSeconds } = stepPace(unmeasured, factsOf({ settings: fixed, insideSeconds: 100 * 99 }));
    expect(slotSeconds).toBe(110);
  });

  it('follows the last minutes if they contradict the last quarter of an hour', () => {
    const windows: Windows = [steadyState(240).windows[0], steadyState(200).windows[1], steadyState(120).windows[2]];
    const usual = stepPace(unmeasured, factsOf(steadyState(120)));
    const shifted = stepPace(unmeasured, factsOf({ ...steadyState(120), windows }));
    expect(shifted.slotSeconds).toBeGreaterThan(1.3 * usual.slotSeconds);
    expect(shifted.slotError).toBeGreaterThan(0.15);
  });

  it('does not follow the last minute alone, because slots may come free in waves', () => {
    const { windows } = steadyState(120);
    const usual = stepPace(unmeasured, factsOf(steadyState(120)));
    for (const freed of [0, 200]) {
      const wave: Windows = [{ ...windows[0], freed }, windows[1], windows[2]];
      const { slotSeconds, slotError } = stepPace(unmeasured, factsOf({ ...steadyState(120), windows: wave }));
      expect(Math.abs(slotSeconds / usual.slotSeconds - 1)).toBeLessThan(0.15);
      expect(slotError).toBeGreaterThan(0.1);
    }
  });
});

describe('the pace shown', () => {
  const before = stepPace(unmeasured, factsOf(steadyState(120)));
  const step = (previous: Pace, facts: Partial<PaceFacts>) =>
    stepPace(previous, factsOf({ ...steadyState(120), now: previous.at + 1_000, ...facts }));

  it('does not change while the evidence does not contradict it', () => {
    expect(step(before, steadyState(122)).slotSeconds).toBe(before.slotSeconds);
  });

  it('slows down only on clear evidence, and reports the reason for a minute', () => {
    const slower = step(before, steadyState(200));
    expect(slower.slotSeconds).toBeGreaterThan(before.slotSeconds);
    expect(slower).toMatchObject({ change: 'slower', changedAt: slower.at });
    const same = { ...slower, slotSeconds: 120 };
    expect(step(same, { now: slower.at + 59_000 }).change).toBe('slower');
    expect(
      stepPace({ ...same, at: slower.at + 59_500 }, factsOf({ ...steadyState(120), now: slower.at + 60_000 })),
    ).toMatchObject({ change: undefined, changedAt: 0 });
  });

  it('reports a lowered limit, a lowered rate and the end of a pause, but no raised limit', () => {
    const change = (facts: Partial<PaceFacts>, previous = before) => step(previous, facts).change;
    expect(change({ settings: { ...settings, maxActive: 99 } })).toBe('limit');
    expect(change({ settings: { ...settings, admitPerSecond: 99 } })).toBe('limit');
    expect(change({}, step(before, { isOpen: false }))).toBe('resumed');
    expect(change({ settings: { ...settings, maxActive: 101 } })).toBeUndefined();
    expect(change({})).toBeUndefined();
  });

  it('remembers what the line was like before the changes whose reason is shown', () => {
    const whatWas = { maxActive: 100, perSecond: before.limits.perSecond, slotSeconds: before.slotSeconds };
    const lowered = step(before, { settings: { ...settings, maxActive: 5 } });
    expect(lowered).toMatchObject({ change: 'limit', before: whatWas });
    const again = step(lowered, { settings: { ...settings, maxActive: 4 } });
    expect(again).toMatchObject({ change: 'limit', before: whatWas });
    expect(step(again, { settings: { ...settings, maxActive: 400 } })).toMatchObject({ before: whatWas });
    const quiet = { ...again, at: again.at + 59_500 };
    expect(step(quiet, { settings: { ...settings, maxActive: 4 } }).before).toBeUndefined();
  });

  it('starts over after a minute without a tick', () => {
    expect(step(before, { ...steadyState(240), now: before.at + 61_000 })).toMatchObject({
      slotSeconds: stepPace(unmeasured, factsOf(steadyState(240))).slotSeconds,
      change: undefined,
    });
  });

  it('moves by at most 3 % per second, and rises by more than the countdown hides only with a reason', () => {
    const stretch = fc.record({
      admitted: fc.nat(1_000),
      movingMs: fc.nat(60_000),
      freed: fc.nat(1_000),
      slotMs: fc.nat(100_000_000),
      agedMs: fc.nat(1_000_000_000),
      departed: fc.nat(1_000),
      waiterMs: fc.nat(100_000_000),
    });
    const facts = fc.record({
      windows: fc.tuple(stretch, stretch, stretch),
      waiting: fc.nat(100_000),
      inside: fc.nat(1_000),
      insideSeconds: fc.nat(1_000_000),
      passedMs: fc.integer({ min: 1, max: 5_000 }),
    });
    fc.assert(
      fc.property(fc.array(facts, { minLength: 2, maxLength: 10 }), (history) => {
        let shown = stepPace(unmeasured, factsOf());
        for (const { passedMs, ...facts } of history) {
          const next = stepPace(shown, factsOf({ ...facts, now: shown.at + passedMs }));
          const seconds = passedMs / 1000;
          const hidden = (0.5 * seconds) / (shown.slotSeconds * (1 + facts.waiting / settings.maxActive));
          const bound = 1 + Math.max(FASTEST_PER_SECOND * seconds, hidden) + 1e-9;
          expect(next.slotSeconds).toBeGreaterThan(0);
          expect(next.slotSeconds / shown.slotSeconds).toBeLessThanOrEqual(bound);
          expect(shown.slotSeconds / next.slotSeconds).toBeLessThanOrEqual(bound);
          if (next.changedAt !== next.at) {
            expect(next.slotSeconds / shown.slotSeconds).toBeLessThanOrEqual(1 + hidden + 1e-9);
            expect(next.departPerSecond * (1 + hidden)).toBeGreaterThanOrEqual(shown.departPerSecond * (1 - 1e-9));
          }
          shown = next;
        }
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('the history of a line', () => {
  it('sums the last 1, 5 and 15 minutes, and drops what is older', () => {
    const history = new AdmissionHistory();
    for (let second = 0; second < 900; second += 1) {
      history.record(NOW + second * 1_000, { ...NOTHING, admitted: second < 840 ? 10 : 30, movingMs: 1_000 });
    }
    const windows = history.windows(NOW + 899_000);
    expect(windows.map(({ admitted }) => admitted)).toEqual([1_800, 4_200, 10_200]);
    // .5 x 30 + .3 x 14 + .2 x 11.33
    expect(stepPace(unmeasured, factsOf({ windows })).observedPerSecond).toBeCloseTo(21.467, 2);
    const forgotten = history.windows(NOW + 899_000 + 900_000);
    expect(forgotten).toEqual([NOTHING, NOTHING, NOTHING]);
    expect(stepPace(unmeasured, factsOf({ windows: forgotten })).observedPerSecond).toBeUndefined();
  });
});
