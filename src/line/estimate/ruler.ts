/**
 * The ruler: (number, rank) pairs measured once per admission tick, from which any process computes the rank of any
 * waiting visitor without a store query. Each of the first 100 ranks has a mark; further marks are at most 2 % apart,
 * so a rank is within 1 % no matter who left.
 */
import type { WaitingOrder } from '../model/waiting-order.ts';

export interface Ruler {
  /** The numbers at which the line was measured, ascending. */
  readonly numbers: readonly number[];
  /** The 1-based rank of each of those numbers; with two lanes, the position among all waiting visitors. */
  readonly ranks: readonly number[];
}

export const EXACT_RANKS = 100;
/**
 * Marks after the first 100 ranks. 465 of them reach a million in steps of 2 %. A shorter line gets as many marks,
 * closer together, so measuring ten thousand costs the same as measuring a million.
 */
const TAIL_MARKS = 465;
const WIDEST_STEP = 1.02;
const TOLERANCE = 0.01;

/** The ranks at which a line of `length` is measured: each of the first 100, then geometric, then the last. */
export function ranksToMeasure(length: number): number[] {
  const ranks: number[] = [];
  for (let rank = 1; rank <= Math.min(EXACT_RANKS, length); rank += 1) ranks.push(rank);
  if (length <= EXACT_RANKS) return ranks;
  const step = Math.min(WIDEST_STEP, (length / EXACT_RANKS) ** (1 / TAIL_MARKS));
  let exactPosition = EXACT_RANKS;
  let rank = EXACT_RANKS;
  while (rank < length) {
    exactPosition *= step;
    rank = Math.min(length, Math.max(rank + 1, Math.floor(exactPosition)));
    ranks.push(rank);
  }
  return ranks;
}

/** `toPosition` maps a rank and its number to a position where the two differ (two lanes). */
export function measure(waiting: WaitingOrder<unknown>, toPosition?: (rank: number, number: number) => number): Ruler {
  const ranks = ranksToMeasure(waiting.size);
  const numbers = ranks.map((rank) => waiting.numberAt(rank)!);
  if (toPosition === undefined) return { numbers, ranks };
  return { numbers, ranks: ranks.map((rank, index) => toPosition(rank, numbers[index]!)) };
}

/** The rank of the visitor with `number`. One who joined after the measurement ranks behind its last mark. */
export function readRank(ruler: Ruler, number: number): number {
  const { numbers, ranks } = ruler;
  const after = firstIndexAtLeast(numbers, number);
  if (numbers[after] === number) return ranks[after]!;
  if (after === numbers.length) return lastRank(ruler) + number - (numbers[after - 1] ?? number - 1);
  if (after === 0) return 1;
  return between(ruler, after - 1, after, number);
}

/**
 * Whether the visitor with `number`, who had joined before, was not in line when it was measured: they are not among the
 * exact ranks where they should be. The head alone would not tell: it moves back when somebody returns.
 */
export function isMissing({ numbers }: Ruler, number: number): boolean {
  const exact = Math.min(EXACT_RANKS, numbers.length);
  const isExact = exact === numbers.length || number <= numbers[exact - 1]!;
  return isExact && numbers[firstIndexAtLeast(numbers, number)] !== number;
}

/**
 * Interpolates: between two marks the true rank lies strictly between theirs. The clamp bounds the error to 1 % even if
 * everyone who left was on one side of `number`.
 */
function between({ numbers, ranks }: Ruler, before: number, after: number, number: number): number {
  const [low, high] = [ranks[before]!, ranks[after]!];
  const share = (number - numbers[before]!) / (numbers[after]! - numbers[before]!);
  const likely = low + share * (high - low);
  const clamped = Math.min(Math.max(likely, (1 - TOLERANCE) * high), (1 + TOLERANCE) * low);
  return Math.min(high - 1, Math.max(low + 1, Math.round(clamped)));
}

function lastRank({ ranks }: Ruler): number {
  return ranks[ranks.length - 1] ?? 0;
}

function firstIndexAtLeast(sorted: readonly number[], value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
