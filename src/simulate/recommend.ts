/**
 * Recommends a limit. Each slot of a full room is reused: by time t it has been taken
 * t / mean + (1 + variance / mean²) / 2 times on average, including the first (renewal theory).
 */
import type { SalePlan, VisitorPlan } from './sale.ts';
import type { SaleSummary } from './summary.ts';

export interface Recommendation {
  verdict: /** Done by the goal, with no more visitors inside than needed. */
    | 'fits'
    /** Took longer than the goal, or was not done at the end. */
    | 'too-low'
    /** A much lower limit would have been enough. */
    | 'higher-than-needed'
    /** Nobody had to wait: the limit has no effect. */
    | 'no-line'
    /** Too few visitors arrive or buy, whatever the limit. */
    | 'crowd-too-small';
  goalMs: number;
  /** When all seats were sold or, without seats, the line was empty; undefined if that did not happen. */
  doneAtMs: number | undefined;
  /** The limit that finishes in goalMs; undefined if none does. */
  limit: number | undefined;
  /** Average slot time per visitor who enters, including slots lost to visitors who do not enter. */
  holdMs: number;
}

/** A limit up to this many times the needed one is not called too high, because sales vary. */
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
 * Slot time per visitor who enters: until they notice, while they shop, and until the next tick. Adds the slots lost to
 * visitors who did not enter, in the ratio that the sale showed.
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

/** How many visitors must enter until the sale is done; infinite if too few would buy. */
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
  // A visitor cannot enter before arriving.
  const lastNeeded = visitors[Math.min(needed, visitors.length) - 1]!.comesAtMs;
  if (lastNeeded > goalMs) return undefined;
  return Math.max(1, Math.ceil(needed / (goalMs / slotTime.meanMs + (1 + slotTime.spread) / 2)));
}
