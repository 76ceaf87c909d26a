/**
 * The two lanes of a line: the ordinary one, and one that goes first for a share of the admissions. Each keeps its own
 * order by number. This is the arithmetic of whose turn it is; docs/reference/line.md says it in words.
 *
 * While both lanes wait, each admission adds the share, in percent, to the room's credit. Once the credit is enough for
 * one admission it pays for one from the priority lane; any other comes from the ordinary lane. Nothing is added while
 * one lane is empty, so nothing is saved up then. All of it in whole numbers: of n such admissions since the room was
 * made, exactly floor(n * share / 100) go to the priority lane, and no more at any time between.
 */
export type Lane = 'ordinary' | 'priority';

/** What one admission from the priority lane costs; the credit is always below it. */
const COST = 100;

export interface Turn {
  lane: Lane;
  /** What is left of the credit. */
  credit: number;
}

/** The next admission while both lanes wait. */
export function nextTurn(credit: number, share: number): Turn {
  const sum = credit + share;
  return sum >= COST ? { lane: 'priority', credit: sum - COST } : { lane: 'ordinary', credit: sum };
}

/**
 * How many of the other lane go before the one at `rank` of `lane`, if both go on waiting: the turns above, counted at
 * once. The k-th turn of the priority lane is the first n with credit + n * share >= 100 k.
 */
export function countGoingBefore(lane: Lane, rank: number, credit: number, share: number): number {
  if (lane === 'priority') return Math.ceil(((COST - share) * rank - credit) / share);
  return share === COST ? Number.POSITIVE_INFINITY : Math.floor((share * (rank - 1) + credit) / (COST - share));
}
