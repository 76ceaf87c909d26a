/** How long a visitor's page waits before its next poll: the nearer its turn, the shorter. */
import type { Crowd } from '../model/standing.ts';

const SECONDS_WHEN_INSIDE = 3;
const STEPS: readonly { readonly upTo: number; readonly seconds: number }[] = [
  { upTo: 1_000, seconds: 1 },
  { upTo: 5_000, seconds: 5 },
  { upTo: 10_000, seconds: 10 },
  { upTo: 100_000, seconds: 30 },
  { upTo: Number.POSITIVE_INFINITY, seconds: 60 },
];

/** `position`: the 1-based rank in line; undefined for a visitor who does not wait. */
export function nextPollSeconds(position: number | undefined): number {
  if (position === undefined) return SECONDS_WHEN_INSIDE;
  return STEPS.find(({ upTo }) => position <= upTo)!.seconds;
}

/** Before a draw there is no news; these polls only keep the visitor present, well within seenTtlMs. */
const LOBBY_STEPS: readonly { readonly from: number; readonly seconds: number }[] = [
  { from: 600, seconds: 60 },
  { from: 60, seconds: 30 },
  { from: 20, seconds: 10 },
];
/** How long a draw usually takes, and how many polls per second may follow it. */
const DRAW_SECONDS = 2;
const POLLS_PER_SECOND = 5_000;
const WIDEST_SPREAD_SECONDS = 20;

/**
 * A page in the lobby polls again shortly after the draw, spread over some seconds. The pseudorandom lot decides which
 * page polls when.
 */
export function lobbyPollSeconds(lot: string, { settings, waiting }: LobbyCrowd, now: number): number {
  const toOpening = settings.opensAt === undefined ? 0 : (Date.parse(settings.opensAt) - now) / 1000;
  const step = LOBBY_STEPS.find(({ from }) => toOpening >= from);
  const longest = Math.max(1, Math.floor(settings.seenTtlMs / 3_000));
  if (step !== undefined) return Math.min(step.seconds, longest);
  const share = Number.parseInt(lot.slice(0, 4), 16) / 65_536;
  const spread = Math.min(WIDEST_SPREAD_SECONDS, waiting / POLLS_PER_SECOND) * share;
  return Math.min(Math.ceil(Math.max(0, toOpening) + DRAW_SECONDS + spread), longest);
}

type LobbyCrowd = Pick<Crowd, 'settings' | 'waiting'>;
