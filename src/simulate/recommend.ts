/**
 * What the limit should have been. Each slot of a room that is always full is taken again and again; after a time t
 * that has happened t / mean + (1 + variance / mean²) / 2 times on average, the first time included (renewal theory).
 */
import type { SalePlan, VisitorPlan } from './sale.ts';
import type { SaleSummary } from './summary.ts';

export interface Recommendation {
  verdict: /** Done in the time wished for, with no more inside than needed. */
    | 'fits'
    /** It took longer than wished, or was not done at the end. */
    | 'too-low'
    /** A much lower limit, easier on the shop, would have done. */
    | 'higher-than-needed'
    /** Nobody had to wait: the line protects from nothing here. */
    | 'no-line'
    /** Too few came, or bought, whatever the limit. */
    | 'crowd-too-small';
  goalMs: number;
  /** When all seats were taken, or where nothing is sold, when nobody waited any more; undefined if it did not come to that. */
  doneAtMs: number | undefined;
  /** By which it would be done in goalMs; undefined where no limit would do. */
  limit: number | undefined;
  /** How long a slot is taken on average for each who comes in, those who do not show up included. */
  holdMs: number;
}

/** Up to so many times the limit needed is not called too high: sales do not go as planned. */
const AMPLE = 1.5;

export function recommend(plan: SalePlan, summary: SaleSummary, goalMs: number): Recommendation {
  const slotTime = measureSlotTime(plan, summary);
  const limit = limitFor(countNeeded(plan), slotTime, goalMs, plan);
  const doneAtMs = findDone(summary);
  return {
    verdict: judge(plan, summary, { limit, doneAtMs, goalMs }),
    goalMs,
    doneAtMs,
    limit,
    holdMs: slotTime.meanMs,
  };
}

type Facts = Pick<Recommendation, 'limit' | 'doneAtMs' | 'goalMs'>;

function judge(plan: SalePlan, summary: SaleSummary, { limit, doneAtMs, goalMs }: Facts): Recommendation['verdict'] {
  if (limit === undefined || (doneAtMs === undefined && summary.fates.waiting === 0)) return 'crowd-too-small';
  if (summary.longestLine.waiting === 0) return 'no-line';
  if (doneAtMs === undefined || doneAtMs > goalMs * 1.05) return 'too-low';
  return plan.settings.maxActive > limit * AMPLE ? 'higher-than-needed' : 'fits';
}

function findDone({ seats, soldOutAtMs, moments, fates }: SaleSummary): number | undefined {
  if (seats !== undefined) return soldOutAtMs;
  if (fates.waiting > 0) return undefined;
  const last = moments.findLastIndex(({ waiting }) => waiting > 0);
  return moments[last + 1]?.atMs;
}

interface SlotTime {
  meanMs: number;
  /** The variance over the square of the mean. */
  spread: number;
}

/**
 * How long a slot is taken for each who comes in: until they notice, while they shop, until the next tick; and by those
 * who did not come, of whom the sale has shown how many there are to each who did.
 */
function measureSlotTime({ visitors, settings, tickMs }: SalePlan, { fates }: SaleSummary): SlotTime {
  let sum = 0;
  let squares = 0;
  for (const { shopsMs, noticesMs = 0 } of visitors) {
    const takenMs = Math.min(noticesMs + shopsMs, settings.activeMaxTtlMs) + tickMs / 2;
    sum += takenMs;
    squares += takenMs * takenMs;
  }
  const mean = sum / visitors.length;
  const wastedMs = fates.inside === 0 ? 0 : (fates['no-show'] / fates.inside) * settings.claimTtlMs;
  return { meanMs: mean + wastedMs, spread: squares / visitors.length / (mean * mean) - 1 };
}

/** How many must come in until it is done; infinite where not enough would buy. */
function countNeeded({ visitors, seats }: SalePlan): number {
  const willCome = (visitor: VisitorPlan) => !visitor.staysAway && visitor.givesUp === undefined;
  if (seats === undefined) return visitors.filter(willCome).length;
  const buyers = visitors.filter((visitor) => willCome(visitor) && !visitor.onlyLooks).length;
  const shoppers = visitors.filter((visitor) => !visitor.staysAway).length;
  const looksOnly = visitors.filter((visitor) => !visitor.staysAway && visitor.onlyLooks).length;
  const wanted = Math.ceil(seats.total / seats.perBuyer);
  if (buyers < wanted) return Number.POSITIVE_INFINITY;
  return Math.ceil(wanted / (1 - looksOnly / shoppers));
}

function limitFor(needed: number, slotTime: SlotTime, goalMs: number, { visitors }: SalePlan): number | undefined {
  if (!Number.isFinite(needed) || needed === 0) return undefined;
  // Nobody comes in before they have come.
  const lastNeeded = visitors[Math.min(needed, visitors.length) - 1]!.comesAtMs;
  if (lastNeeded > goalMs) return undefined;
  return Math.max(1, Math.ceil(needed / (goalMs / slotTime.meanMs + (1 + slotTime.spread) / 2)));
}
