/** Conditions of a room that need an operator's attention. */
import { isLowered } from '../line/model/site-health.ts';
import type { Crowd } from '../line/model/standing.ts';
import type { Flow } from './sample-window.ts';

export const alarmNames = [
  'stalled',
  'no_room',
  'paused',
  'closed',
  'over_limit',
  'no_shows',
  'slower',
  'site_failing',
  'site_slow',
  'no_reports',
] as const;
export type Alarm = (typeof alarmNames)[number];

export interface AlarmFacts {
  at: number;
  crowd: Crowd;
  /** Over the last STALLED_AFTER_MS. */
  lately: Flow;
  /** Over the last NO_SHOWS_MS. */
  minutes: Flow;
}

/** Long enough for an admission even at a slow rate. */
export const STALLED_AFTER_MS = 20_000;
export const NO_SHOWS_MS = 300_000;
/** A gate reports once per second if it sees requests. */
const NO_REPORTS_MS = 60_000;
const ENOUGH_ADMITTED = 20;
const MANY_NO_SHOWS = 0.3;

export function findAlarms(facts: AlarmFacts): Alarm[] {
  return alarmNames.filter((name) => tests[name](facts));
}

const tests: Record<Alarm, (facts: AlarmFacts) => boolean> = {
  /** Visitors wait who are not away, and slots are free, but nobody is admitted. */
  stalled: ({ crowd, lately }) =>
    crowd.phase === 'open' &&
    crowd.waiting > crowd.away &&
    crowd.admitted + crowd.active < crowd.settings.maxActive &&
    lately.seconds >= STALLED_AFTER_MS / 1000 - 1 &&
    lately.admitted === 0,
  no_room: ({ crowd }) => crowd.phase === 'open' && crowd.waiting > 0 && crowd.settings.maxActive === 0,
  paused: ({ crowd }) => crowd.phase === 'paused' && crowd.waiting > 0,
  closed: ({ crowd }) => crowd.phase === 'closed' && crowd.waiting > 0,
  /** The limit was lowered: nobody is evicted, and nobody is admitted until slots are free. */
  over_limit: ({ crowd }) => crowd.admitted + crowd.active > crowd.settings.maxActive,
  no_shows: ({ minutes }) => minutes.admitted >= ENOUGH_ADMITTED && minutes.noShows > minutes.admitted * MANY_NO_SHOWS,
  site_failing: ({ crowd }) => isLowered(crowd.settings, crowd.health) && crowd.health?.cause === 'errors',
  site_slow: ({ crowd }) => isLowered(crowd.settings, crowd.health) && crowd.health?.cause === 'latency',
  /** A room that follows the health of the site, has visitors and hears nothing. */
  no_reports: ({ crowd, at }) =>
    crowd.settings.followHealth !== undefined &&
    crowd.waiting > 0 &&
    crowd.admitted + crowd.active > 0 &&
    at - (crowd.health?.decidedAt ?? 0) > NO_REPORTS_MS,
  slower: ({ crowd }) => crowd.phase === 'open' && crowd.waiting > 0 && crowd.pace.change === 'slower',
};
