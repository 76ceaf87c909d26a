/** The injected source of time. Stores read it; rules get the time as an argument. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** Milliseconds since the process started, unaffected by changes of the system clock: for durations, not for dates. */
export const stopwatch: Clock = { now: () => performance.now() };

/** A clock that never runs backwards: a step of the system clock must not revive what has expired. */
export function createMonotonicClock(source: Clock = systemClock): Clock {
  let latest = 0;
  return {
    now() {
      latest = Math.max(latest, source.now());
      return latest;
    },
  };
}
