/**
 * Lets the admission rate follow the health of the site: halved while the site answers with errors or slowly, raised step
 * by step while it is well, between `minPerSecond` and `admitPerSecond`. Nobody inside is affected.
 *
 * The same sums, in the same order, as store/redis/scripts/includes/follow-health.lua.
 */
import type { Line } from '../model/line.ts';
import type { RoomSettings } from '../model/room-settings.ts';
import {
  type HealthCause,
  type HealthReport,
  type HealthWindow,
  LATENCY_BUCKETS,
  noReports,
  p95Of,
  type SiteHealth,
} from '../model/site-health.ts';

/** Reports are collected this long before they decide, so that those of several gates count together. */
export const COLLECT_MS = 1_000;
/** Older reports do not count. */
export const STALE_MS = 5_000;
/** Fewer responses decide nothing: one slow page is no trend. */
export const ENOUGH_RESPONSES = 20;
/** The site needs a moment to show the effect of a lower rate. */
export const LOWER_EVERY_MS = 2_000;
/** From nothing to the full rate takes this long. */
export const FULL_RISE_MS = 30_000;
/** A late tick must not raise the rate by more than this much time allows. */
const LONGEST_STEP_MS = 5_000;
/**
 * Without enough responses for this long the rate rises as if the site were well. A site that hardly anybody uses is not
 * overloaded, and a reporter that is gone must not slow the line for good.
 */
export const QUIET_MS = 30_000;

/** Collects a report. A repeated one only gets more weight. */
export function noteHealth(line: Line, report: HealthReport, now: number): void {
  if (line.settings.followHealth !== undefined) line.healthReports = addReport(line.healthReports, report, now);
}

export function addReport(window: HealthWindow, report: HealthReport, now: number): HealthWindow {
  const before = window.since === 0 || now - window.since > STALE_MS ? { ...noReports, since: now } : window;
  const latencies = Array.from(
    { length: LATENCY_BUCKETS },
    (_, bucket) => (before.latencies[bucket] ?? 0) + (report.latencies[bucket] ?? 0),
  );
  return {
    since: before.since,
    responses: before.responses + report.responses,
    errors: before.errors + report.errors,
    latencies,
  };
}

/** Part of a tick, before it admits. */
export function followHealth(line: Line, now: number): void {
  const { settings, health: before } = line;
  if (settings.followHealth === undefined || settings.admitPerSecond === undefined) {
    line.healthReports = noReports;
    if (before !== undefined) keep(line, undefined);
    return;
  }
  const { health, isUsed } = stepHealth(before, line.healthReports, settings, now);
  if (isUsed) line.healthReports = noReports;
  if (health.perSecond === before?.perSecond && health.cause === before.cause) line.health = health;
  else keep(line, health);
}

function keep(line: Line, health: SiteHealth | undefined): void {
  line.health = health;
  line.onChange({ kind: 'health', health });
}

export interface HealthStep {
  health: SiteHealth;
  /** Whether the reports have been used and a new collection begins. */
  isUsed: boolean;
}

/** The state after a tick. `settings` must have a rate and `followHealth`. */
export function stepHealth(
  known: SiteHealth | undefined,
  window: HealthWindow,
  settings: RoomSettings,
  now: number,
): HealthStep {
  const full = settings.admitPerSecond!;
  const before = withinBounds(known, settings, now);
  const isFresh = window.since > 0 && now - window.since <= STALE_MS;
  const { responses, errors, latencies } = isFresh ? window : noReports;
  const errorShare = responses === 0 ? 0 : errors / responses;
  const p95Ms = p95Of(latencies);
  const cause = findCause(errorShare, p95Ms, settings);
  const isIgnored = settings.ignoreHealthUntil !== undefined && now < Date.parse(settings.ignoreHealthUntil);
  if (isFresh && now - window.since >= COLLECT_MS && responses >= ENOUGH_RESPONSES) {
    const measured = { ...before, errorShare, p95Ms, decidedAt: now };
    if (isIgnored) return { health: atFullRate(measured, full, now), isUsed: true };
    const passedMs = Math.min(now - before.risenTo, LONGEST_STEP_MS);
    const next = cause === undefined ? raise(measured, full, passedMs, now) : lower(measured, cause, settings, now);
    return { health: next, isUsed: true };
  }
  if (isIgnored) return { health: atFullRate(before, full, now), isUsed: false };
  const quietSince = Math.max(before.risenTo, before.decidedAt + QUIET_MS);
  const looksBad = responses > 0 && cause !== undefined;
  if (before.cause === undefined || looksBad || now <= quietSince) return { health: before, isUsed: false };
  return { health: raise(before, full, now - quietSince, now), isUsed: false };
}

/** The settings may have changed since the last tick. */
function withinBounds(known: SiteHealth | undefined, settings: RoomSettings, now: number): SiteHealth {
  const full = settings.admitPerSecond!;
  if (known === undefined) {
    return { perSecond: full, cause: undefined, errorShare: 0, p95Ms: 0, decidedAt: 0, loweredAt: 0, risenTo: now };
  }
  if (known.cause === undefined) return { ...known, perSecond: full };
  return { ...known, perSecond: Math.min(full, Math.max(settings.followHealth!.minPerSecond, known.perSecond)) };
}

/** Errors count first: a site that fails is often fast. */
function findCause(errorShare: number, p95Ms: number, { followHealth }: RoomSettings): HealthCause | undefined {
  if (errorShare > followHealth!.maxErrorShare) return 'errors';
  return p95Ms > followHealth!.maxP95Ms ? 'latency' : undefined;
}

function lower(health: SiteHealth, cause: HealthCause, { followHealth }: RoomSettings, now: number): SiteHealth {
  const perSecond = Math.max(followHealth!.minPerSecond, health.perSecond / 2);
  const isTooSoon = now - health.loweredAt < LOWER_EVERY_MS;
  if (isTooSoon || perSecond === health.perSecond) return { ...health, cause, risenTo: now };
  return { ...health, perSecond, cause, loweredAt: now, risenTo: now };
}

function raise(health: SiteHealth, full: number, passedMs: number, now: number): SiteHealth {
  const perSecond = health.perSecond + (full * Math.max(0, passedMs)) / FULL_RISE_MS;
  return perSecond >= full ? atFullRate(health, full, now) : { ...health, perSecond, risenTo: now };
}

function atFullRate(health: SiteHealth, full: number, now: number): SiteHealth {
  return { ...health, perSecond: full, cause: undefined, risenTo: now };
}
