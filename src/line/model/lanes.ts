/**
 * The two lanes of a line: the ordinary lane, and the priority lane, which gets a share of the admissions. Each is
 * ordered by number. This file decides which lane the next admission comes from; docs/reference/line.md explains it.
 *
 * While both lanes wait, each admission adds the share, in percent, to the room's credit. An admission from the
 * priority lane costs 100; without enough credit it comes from the ordinary lane. Credit does not grow while one lane
 * is empty. In integers: of n such admissions since the room was created, exactly floor(n * share / 100) come from the
 * priority lane, and never more at any time in between.
 */
export type Lane = 'ordinary' | 'priority';

/** The price of one admission from the priority lane; the credit is always below it. */
const COST = 100;

export interface Turn {
  lane: Lane;
  /** The credit after it. */
  credit: number;
}

/** The next admission while both lanes wait. */
export function nextTurn(credit: number, share: number): Turn {
  const sum = credit + share;
  return sum >= COST ? { lane: 'priority', credit: sum - COST } : { lane: 'ordinary', credit: sum };
}

/**
 * How many of the other lane are admitted before the visitor at `rank` of `lane` while both lanes wait: the result of
 * repeated `nextTurn` in closed form. The k-th turn of the priority lane is the first n with credit + n * share >= 100 k.
 */
export function countGoingBefore(lane: Lane, rank: number, credit: number, share: number): number {
  if (lane === 'priority') return Math.ceil(((COST - share) * rank - credit) / share);
  return share === COST ? Number.POSITIVE_INFINITY : Math.floor((share * (rank - 1) + credit) / (COST - share));
}
