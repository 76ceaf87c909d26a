/** Seeded random numbers: the same seed gives the same sale. */
export type Random = () => number;

/** Mulberry32: 32 bits of state are enough for a simulation. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** The usual distribution of how long people take: most near the median, a few several times as long. */
export function logNormal(random: Random, median: number, spread: number): number {
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return median * Math.exp(spread * normal);
}

export function exponential(random: Random, mean: number): number {
  return -mean * Math.log(1 - random());
}
