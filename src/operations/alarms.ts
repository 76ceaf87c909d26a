/** What about a room needs an operator's attention. */
import type { Crowd } from '../line/model/standing.ts';
import type { Flow } from './sample-window.ts';

export const alarmNames = ['stalled', 'no_room', 'paused', 'closed', 'over_limit', 'no_shows', 'slower'] as const;
export type Alarm = (typeof alarmNames)[number];

export interface AlarmFacts {
  crowd: Crowd;
  /** Of the last STALLED_AFTER_MS, and of the last NO_SHOWS_MS. */
  lately: Flow;
  minutes: Flow;
}

/** Long enough for a slow rate to have let somebody in. */
export const STALLED_AFTER_MS = 20_000;
export const NO_SHOWS_MS = 300_000;
const ENOUGH_ADMITTED = 20;
const MANY_NO_SHOWS = 0.3;

export function findAlarms(facts: AlarmFacts): Alarm[] {
  return alarmNames.filter((name) => tests[name](facts));
}

const tests: Record<Alarm, (facts: AlarmFacts) => boolean> = {
  /** There are people and there is room, but nobody is let in. */
  stalled: ({ crowd, lately }) =>
    crowd.phase === 'open' &&
    crowd.waiting > 0 &&
    crowd.admitted + crowd.active < crowd.settings.maxActive &&
    lately.seconds >= STALLED_AFTER_MS / 1000 - 1 &&
    lately.admitted === 0,
  no_room: ({ crowd }) => crowd.phase === 'open' && crowd.waiting > 0 && crowd.settings.maxActive === 0,
  paused: ({ crowd }) => crowd.phase === 'paused' && crowd.waiting > 0,
  closed: ({ crowd }) => crowd.phase === 'closed' && crowd.waiting > 0,
  /** The limit was lowered: nobody is sent away, and nobody let in until there is room. */
  over_limit: ({ crowd }) => crowd.admitted + crowd.active > crowd.settings.maxActive,
  no_shows: ({ minutes }) => minutes.admitted >= ENOUGH_ADMITTED && minutes.noShows > minutes.admitted * MANY_NO_SHOWS,
  slower: ({ crowd }) => crowd.phase === 'open' && crowd.waiting > 0 && crowd.pace.change === 'slower',
};
