/** Where the time comes from. Rules never ask the time; stores do, through this. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

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
