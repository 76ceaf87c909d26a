/**
 * The health of the site behind a room, as gates and other servers report it, and the admission rate that follows from
 * it. The rule is rules/follow-health.ts.
 */
import type { RoomSettings } from './room-settings.ts';

/** What one reporter saw since its last report. */
export interface HealthReport {
  /** Responses of the site, failures to reach it included. */
  responses: number;
  /** Those with a 5xx status, and requests that got no response. */
  errors: number;
  /** How many responses took how long, by bucket: see latencyBucketOf. Missing buckets are 0. */
  latencies: readonly number[];
}

/** Reports since `since` that no decision has used yet. */
export interface HealthWindow extends HealthReport {
  /** When the first of them arrived; 0 if there is none. */
  since: number;
}

/** Why the rate is lowered. */
export type HealthCause = 'errors' | 'latency';

/** The state of a room with `followHealth`, as the last tick left it. */
export interface SiteHealth {
  /** The admission rate; the full rate while `cause` is undefined. */
  perSecond: number;
  /** undefined at the full rate. */
  cause: HealthCause | undefined;
  /** As measured at `decidedAt`. */
  errorShare: number;
  p95Ms: number;
  /** When enough responses were last reported to decide by; 0: never. */
  decidedAt: number;
  /** When the rate was last lowered; 0: never. */
  loweredAt: number;
  /** The time up to which the rate has risen. */
  risenTo: number;
}

export const noReports: HealthWindow = { since: 0, responses: 0, errors: 0, latencies: [] };

/** The upper bounds of the latency buckets in ms: ten steps and two, each about a fifth longer, per decade. */
const STEPS = [10, 12, 15, 18, 22, 27, 33, 39, 47, 56, 68, 82];
const DECADES = [1, 10, 100, 1_000];
export const LATENCY_BOUNDS_MS: readonly number[] = DECADES.flatMap((decade) => STEPS.map((step) => step * decade));
/** One bucket per bound, and one for everything above the last. */
export const LATENCY_BUCKETS = LATENCY_BOUNDS_MS.length + 1;

export function latencyBucketOf(ms: number): number {
  const index = LATENCY_BOUNDS_MS.findIndex((bound) => ms <= bound);
  return index === -1 ? LATENCY_BOUNDS_MS.length : index;
}

/** The 95th percentile, interpolated within its bucket; 0 without responses. The same sums as in follow-health.lua. */
export function p95Of(latencies: readonly number[]): number {
  let total = 0;
  for (const count of latencies) total += count;
  const rank = 0.95 * total;
  let below = 0;
  for (const [index, count] of latencies.entries()) {
    if (count > 0 && below + count >= rank) {
      const low = index === 0 ? 0 : LATENCY_BOUNDS_MS[index - 1]!;
      const high = LATENCY_BOUNDS_MS[index] ?? low;
      return low + (high - low) * ((rank - below) / count);
    }
    below += count;
  }
  return 0;
}

/** The admission rate in force; undefined for a room without a rate. */
export function effectiveRate(
  { admitPerSecond, followHealth }: Pick<RoomSettings, 'admitPerSecond' | 'followHealth'>,
  health: SiteHealth | undefined,
): number | undefined {
  if (admitPerSecond === undefined || followHealth === undefined || health?.cause === undefined) return admitPerSecond;
  return Math.min(admitPerSecond, Math.max(followHealth.minPerSecond, health.perSecond));
}

/** Whether fewer visitors are admitted than the settings allow. */
export function isLowered(settings: RoomSettings, health: SiteHealth | undefined): boolean {
  const rate = effectiveRate(settings, health);
  return rate !== undefined && rate < settings.admitPerSecond!;
}
