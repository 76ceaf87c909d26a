/** A seeded source of chance (mulberry32): the same seed makes the same choices in the same order. */
export interface Chance {
  /** From 0 up to, not including, 1. */
  next(): number;
  /** An integer from `low` to `high`, both included. */
  between(low: number, high: number): number;
  /** True in this share of the calls. */
  happens(share: number): boolean;
  pick<T>(values: readonly T[]): T;
  /** Another source, so that the choices of one visitor do not depend on when others choose. */
  fork(): Chance;
}

export function createChance(seed: number): Chance {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const chance: Chance = {
    next,
    between: (low, high) => low + Math.floor(next() * (high - low + 1)),
    happens: (share) => next() < share,
    pick: (values) => {
      const value = values[Math.floor(next() * values.length)];
      if (value === undefined) throw new Error('nothing to pick from');
      return value;
    },
    fork: () => createChance(Math.floor(next() * 2 ** 32)),
  };
  return chance;
}
