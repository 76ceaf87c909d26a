/** Generates visitors from a seed: when each arrives, how long they shop, who abandons, who does not enter or buy. */
import type { ArrivalStep } from './arrival-curve.ts';
import { createRandom, exponential, type Random } from './random.ts';
import type { VisitorPlan } from './sale.ts';
import { type ShoppingTime, sampleSeconds } from './shopping-time.ts';

export interface CrowdPlan {
  visitors: number;
  arrivals: Arrivals;
  shopping: ShoppingTime;
  /** Visitors who abandon the line, half of them silently, after `meanMs` on average. */
  dropOut: { share: number; meanMs: number };
  noShowShare: number;
  buyShare: number;
  seed: number;
}

export type Arrivals =
  /** Exponential decay: two thirds arrive in the first quarter. */
  | { kind: 'burst'; withinMs: number }
  | { kind: 'steady'; withinMs: number }
  | { kind: 'curve'; steps: readonly ArrivalStep[] };

/** Share of a burst's period after which a third of its visitors have yet to arrive. */
const BURST_DECAY = 0.23;
/** Pages near the head of the line poll every second. */
const POLL_MS = 1_000;

export function makeCrowd(plan: CrowdPlan): VisitorPlan[] {
  const random = createRandom(plan.seed);
  const times = arrivalTimes(plan, random);
  const crowd: VisitorPlan[] = new Array(times.length);
  for (let i = 0; i < times.length; i += 1) crowd[i] = makeVisitor(plan, times[i]!, random);
  return crowd;
}

/** Sorted. */
function arrivalTimes({ visitors, arrivals }: CrowdPlan, random: Random): Float64Array {
  const times = new Float64Array(visitors);
  if (arrivals.kind === 'curve') {
    const draw = createCurveDraw(arrivals.steps);
    for (let i = 0; i < visitors; i += 1) times[i] = draw((i + random()) / visitors);
  } else {
    const { kind, withinMs } = arrivals;
    for (let i = 0; i < visitors; i += 1) {
      const place = random();
      const share = kind === 'steady' ? place : burstShare(place);
      times[i] = Math.floor(share * withinMs);
    }
  }
  return times.sort();
}

/** An exponential distribution cut off at 1. */
function burstShare(uniform: number): number {
  return -BURST_DECAY * Math.log(1 - uniform * (1 - Math.exp(-1 / BURST_DECAY)));
}

/** Maps a share of all visitors to the time by which they have arrived. Rows keep their proportions at any size. */
function createCurveDraw(steps: readonly ArrivalStep[]): (share: number) => number {
  const total = steps.reduce((sum, { visitors }) => sum + visitors, 0);
  let step = 0;
  let before = 0;
  return (share) => {
    const nth = share * total;
    while (step < steps.length - 1 && nth >= before + steps[step]!.visitors) {
      before += steps[step]!.visitors;
      step += 1;
    }
    const { fromMs, untilMs, visitors } = steps[step]!;
    return Math.floor(fromMs + (Math.min(1, (nth - before) / visitors) || 0) * (untilMs - fromMs));
  };
}

/** Draws the same number of random values for every visitor, so changing one share changes nothing else. */
function makeVisitor(plan: CrowdPlan, comesAtMs: number, random: Random): VisitorPlan {
  const { shopping, dropOut, noShowShare, buyShare } = plan;
  const visitor: VisitorPlan = {
    comesAtMs,
    shopsMs: sampleSeconds(shopping, random) * 1000,
    vanishes: false,
    noticesMs: random() * POLL_MS,
  };
  const [luck, patience, manners, duty, taste] = [random(), exponential(random, 1), random(), random(), random()];
  if (luck < dropOut.share) visitor.givesUp = { afterMs: patience * dropOut.meanMs, silently: manners < 0.5 };
  if (duty < noShowShare) visitor.staysAway = true;
  if (taste >= buyShare) visitor.onlyLooks = true;
  return visitor;
}
