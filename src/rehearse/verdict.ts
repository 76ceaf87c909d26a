/** Compares the findings of a rehearsal with its goals. */
import type { FindingsRecord } from './findings.ts';
import { countInversions } from './order.ts';
import { measureOvershoot } from './overshoot.ts';

export interface Goals {
  /** Maximum errors that visitors see. */
  errors: number;
  delayP50Ms: number;
  delayP99Ms: number;
  /** Maximum deviation of the median wait from the predicted one, as a share; undefined: not judged. */
  prediction: number | undefined;
}

export const goalNames = [
  'finished',
  'errors',
  'inversions',
  'lost-places',
  'overshoot',
  'delay-p50',
  'delay-p99',
  'prediction',
] as const;
export type GoalName = (typeof goalNames)[number];

export interface Judgement {
  goal: GoalName;
  unit: 'count' | 'ms' | 'share';
  /** The maximum; for `finished`, the minimum. */
  wanted: number;
  measured: number;
  isMet: boolean;
}

export interface Verdict {
  isPassed: boolean;
  judgements: Judgement[];
}

export interface Medians {
  measured: number | undefined;
  predicted: number | undefined;
}

export function judge(findings: FindingsRecord, goals: Goals, medians: Medians): Verdict {
  const delay = (share: number) => findings.times.request.percentile(share) ?? Number.POSITIVE_INFINITY;
  const visitors = findings.stories.length;
  const atMost = (goal: GoalName, unit: Judgement['unit'], measured: number, wanted: number): Judgement => ({
    goal,
    unit,
    wanted,
    measured,
    isMet: measured <= wanted,
  });
  const { finished } = findings;
  const judgements: Judgement[] = [
    { goal: 'finished', unit: 'count', wanted: visitors, measured: finished, isMet: finished >= visitors },
    atMost('errors', 'count', findings.errors, goals.errors),
    atMost('inversions', 'count', countInversions(findings.stories), 0),
    atMost('lost-places', 'count', findings.lostPlaces, 0),
    atMost('overshoot', 'count', measureOvershoot(findings), 0),
    atMost('delay-p50', 'ms', delay(0.5), goals.delayP50Ms),
    atMost('delay-p99', 'ms', delay(0.99), goals.delayP99Ms),
  ];
  if (goals.prediction !== undefined && medians.predicted !== undefined && medians.predicted > 0) {
    const off = Math.abs((medians.measured ?? 0) / medians.predicted - 1);
    judgements.push(atMost('prediction', 'share', off, goals.prediction));
  }
  return { isPassed: judgements.every(({ isMet }) => isMet), judgements };
}
