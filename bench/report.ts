/** How a benchmark reports its results and chooses its size. */

/** One result, with the naive implementation and the floor if they were measured. */
export interface BenchRow {
  what: string;
  /** Such as `/s` or `ms`. */
  unit: string;
  ours: number;
  naive?: number;
  /** The same work without Fairline, measured in the same run. */
  floor?: number;
  /** The median of the ratios of paired rounds, not the ratio of the medians. */
  toNaive?: number;
  toFloor?: number;
  /** Whether the README leaves it out. */
  isDetail?: boolean;
  /** Additional figures. */
  more?: Record<string, number | string>;
}

/** `--quick` only checks that a benchmark runs; its figures are meaningless. */
const isQuick = process.argv.includes('--quick');

export const effort = (full: number, quick: number): number => (isQuick ? quick : full);

/** The size given as the first numeric argument, or the default. */
export function sizeFrom(args: readonly string[], full: number, quick: number): number {
  const given = args.find((text) => /^\d+$/.test(text));
  return given === undefined ? effort(full, quick) : Number(given);
}

/** Sends the rows to `npm run bench`, which stores them. A benchmark started directly only prints. */
export function report(rows: BenchRow[]): void {
  process.send?.(rows);
}

export const round2 = (value: number): number => Math.round(value * 100) / 100;
