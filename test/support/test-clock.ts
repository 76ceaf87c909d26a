import type { Clock } from '../../src/platform/clock.ts';

/** A clock that moves only when advanced. */
export interface TestClock extends Clock {
  advance(ms: number): void;
}

export function createTestClock(startsAt = Date.UTC(2026, 0, 1)): TestClock {
  let now = startsAt;
  return {
    now: () => now,
    advance(ms) {
      now += ms;
    },
  };
}
