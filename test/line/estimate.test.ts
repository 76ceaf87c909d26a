import { describe, expect, it } from 'vitest';
import { AdmissionHistory } from '../../src/line/admission-history.ts';
import { estimateWait, type Pace, paceFrom } from '../../src/line/estimate.ts';
import { nextPollSeconds } from '../../src/line/poll-schedule.ts';
import { testRoomDefaults } from '../support/rooms.ts';

const NOW = Date.UTC(2026, 0, 1);
const nothingObserved: Pace = { observedPerSecond: undefined, trust: 0 };

describe('the waiting time', () => {
  const input = { phase: 'open' as const, settings: testRoomDefaults({ maxActive: 100 }), inside: 100, tickMs: 1_000 };

  it('comes from the settings while nothing was observed: slots fill at the rate, then turn over', () => {
    const settings = testRoomDefaults({ maxActive: 1_000, batchSize: 100, activeTtlMs: 600_000 });
    const empty = { ...input, settings, inside: 0, pace: nothingObserved };
    expect(estimateWait({ ...empty, position: 500 })).toMatchObject({ known: true, seconds: 5 });
    // 1,000 slots, each free again after 300 s on average: 3.3 a second.
    expect(estimateWait({ ...empty, position: 2_000 })).toMatchObject({ known: true, seconds: 310 });
  });

  it('comes from what was observed once a minute of it is there', () => {
    const history = new AdmissionHistory();
    for (let second = 0; second < 120; second += 1) history.record(NOW + second * 1_000, 20, 1_000);
    const pace = paceFrom(history, NOW + 119_000);
    expect(pace).toEqual({ observedPerSecond: 20, trust: 1 });
    expect(estimateWait({ ...input, position: 1_000, pace })).toMatchObject({ known: true, seconds: 50 });
  });

  it('gives a range that holds the estimate and narrows as evidence grows', () => {
    const wide = estimateWait({ ...input, position: 900, pace: { observedPerSecond: 10, trust: 0.1 } });
    const narrow = estimateWait({ ...input, position: 900, pace: { observedPerSecond: 10, trust: 1 } });
    if (!wide.known || !narrow.known) throw new Error('expected estimates');
    expect(narrow.low).toBeLessThanOrEqual(narrow.seconds);
    expect(narrow.high).toBeGreaterThanOrEqual(narrow.seconds);
    expect((narrow.high - narrow.low) / narrow.seconds).toBeLessThan((wide.high - wide.low) / wide.seconds);
    expect(narrow.confidence).toBeGreaterThan(wide.confidence);
  });

  it('is said in words where no honest number exists', () => {
    for (const phase of ['paused', 'not_open', 'closed'] as const) {
      const estimate = estimateWait({ ...input, phase, position: 5, pace: nothingObserved });
      expect(estimate).toEqual({ known: false, reason: phase });
    }
    const settings = testRoomDefaults({ maxActive: 0 });
    const estimate = estimateWait({ ...input, settings, position: 5, pace: nothingObserved });
    expect(estimate).toEqual({ known: false, reason: 'no_room' });
  });

  it('weighs the last minute most, and forgets after 15', () => {
    const history = new AdmissionHistory();
    for (let second = 0; second < 840; second += 1) history.record(NOW + second * 1_000, 10, 1_000);
    for (let second = 840; second < 900; second += 1) history.record(NOW + second * 1_000, 30, 1_000);
    const at = NOW + 899_000;
    // .5 x 30 + .3 x 14 + .2 x 11.33
    expect(paceFrom(history, at).observedPerSecond).toBeCloseTo(21.467, 2);
    expect(paceFrom(history, at + 900_000)).toEqual(nothingObserved);
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
  ])('asks position %s to come back in %s s', (position, seconds) => {
    expect(nextPollSeconds(position)).toBe(seconds);
  });
});
