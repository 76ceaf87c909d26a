/**
 * Counts durations in buckets that grow with the value (log-linear): percentiles are exact to 1 %, memory is bounded whatever
 * the number of values, and histograms of several processes can be added.
 */
export interface HistogramCounts {
  /** By bucket; only those up to the highest value. */
  counts: number[];
  longest: number;
}

/** Buckets per doubling of the value. */
const STEPS = 128;
const STEP_BITS = 7;
/** Values are counted in microseconds, up to 35 minutes; longer ones count as that. */
const UNITS_PER_MS = 1_000;
const MOST_UNITS = 2 ** 31 - 1;

export class Histogram {
  readonly #counts: number[];
  #size = 0;
  #longest: number;

  constructor({ counts, longest }: HistogramCounts = { counts: [], longest: 0 }) {
    this.#counts = [...counts];
    this.#longest = longest;
    for (const count of counts) this.#size += count;
  }

  get size(): number {
    return this.#size;
  }

  record(ms: number): void {
    const bucket = bucketOf(Math.max(0, Math.min(MOST_UNITS, Math.round(ms * UNITS_PER_MS))));
    this.#growTo(bucket);
    this.#counts[bucket]! += 1;
    this.#size += 1;
    this.#longest = Math.max(this.#longest, ms);
  }

  add(other: Histogram): void {
    this.#growTo(other.#counts.length - 1);
    for (const [bucket, count] of other.#counts.entries()) this.#counts[bucket]! += count;
    this.#size += other.#size;
    this.#longest = Math.max(this.#longest, other.#longest);
  }

  /** The value in ms below which this share of all values is; undefined without values. */
  percentile(share: number): number | undefined {
    if (this.#size === 0) return undefined;
    let left = Math.min(this.#size - 1, Math.floor(this.#size * share));
    const bucket = this.#counts.findIndex((count) => {
      left -= count;
      return left < 0;
    });
    return Math.min(middleOf(bucket) / UNITS_PER_MS, this.#longest);
  }

  /** For another process. */
  toCounts(): HistogramCounts {
    return { counts: this.#counts, longest: this.#longest };
  }

  /** Without holes, which would make the array slow. */
  #growTo(bucket: number): void {
    while (this.#counts.length <= bucket) this.#counts.push(0);
  }
}

function bucketOf(units: number): number {
  if (units < STEPS) return units;
  const doublings = 31 - Math.clz32(units) - STEP_BITS;
  return (doublings + 1) * STEPS + (units >>> doublings) - STEPS;
}

function middleOf(bucket: number): number {
  if (bucket < STEPS) return bucket;
  const doublings = Math.floor(bucket / STEPS) - 1;
  const from = (STEPS + (bucket % STEPS)) * 2 ** doublings;
  return from + (2 ** doublings - 1) / 2;
}
