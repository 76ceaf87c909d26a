/** How benchmarks hand over what they found, and how much they do. */

/** One figure, beside the naive way and the floor where there are such. */
export interface BenchRow {
  what: string;
  /** What the figures count: `/s`, `ms`, … */
  unit: string;
  ours: number;
  naive?: number;
  /** The physical limit, measured in the same run. */
  floor?: number;
  /** Medians of the ratios of rounds that took turns: not the ratio of the medians. */
  toNaive?: number;
  toFloor?: number;
  /** What else was seen. */
  more?: Record<string, number | string>;
}

/** `--quick` shows in a moment that a benchmark works; its figures mean nothing. */
const isQuick = process.argv.includes('--quick');

export const effort = (full: number, quick: number): number => (isQuick ? quick : full);

/** The first argument that is a number: some benchmarks can be told how large. */
export function sizeFrom(args: readonly string[], full: number, quick: number): number {
  const given = args.find((text) => /^\d+$/.test(text));
  return given === undefined ? effort(full, quick) : Number(given);
}

/** To `npm run bench`, which keeps them; a benchmark that is started by itself only prints. */
export function report(rows: BenchRow[]): void {
  process.send?.(rows);
}

export const round2 = (value: number): number => Math.round(value * 100) / 100;
