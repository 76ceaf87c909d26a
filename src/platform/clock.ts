/** Where the time comes from. Rules never ask the time; stores do, through this. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** Counts from the start of the process, at an even pace whatever the system's clock does: for spans, not for dates. */
export const stopwatch: Clock = { now: () => performance.now() };

/** A clock that never runs backwards: a step of the system's clock must not revive what has ended. */
export function createMonotonicClock(source: Clock = systemClock): Clock {
  let latest = 0;
  return {
    now() {
      latest = Math.max(latest, source.now());
      return latest;
    },
  };
}
