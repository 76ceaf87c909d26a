/** The health of the site behind a room, as the operators' page shows it. */
import { effectiveRate } from '../line/model/site-health.ts';
import type { Crowd } from '../line/model/standing.ts';

/** null for a room that does not follow the health of the site. */
export function toHealthSummary({ settings, health }: Crowd, now: number) {
  const { admitPerSecond, followHealth, ignoreHealthUntil } = settings;
  if (admitPerSecond === undefined || followHealth === undefined) return null;
  const isMeasured = health !== undefined && health.decidedAt > 0;
  const isIgnored = ignoreHealthUntil !== undefined && now < Date.parse(ignoreHealthUntil);
  const toTime = (at: number | undefined) => (at ? new Date(at).toISOString() : null);
  return {
    perSecond: round(effectiveRate(settings, health)!),
    fullPerSecond: admitPerSecond,
    cause: health?.cause ?? null,
    errorShare: isMeasured ? Math.round(health.errorShare * 1_000) / 1_000 : null,
    p95Ms: isMeasured ? Math.round(health.p95Ms) : null,
    measuredAt: toTime(health?.decidedAt),
    loweredAt: toTime(health?.loweredAt),
    ignoredUntil: isIgnored ? ignoreHealthUntil : null,
  };
}

function round(rate: number): number {
  return Math.round(rate * 100) / 100;
}
