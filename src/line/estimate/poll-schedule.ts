import type { Crowd } from '../model/standing.ts';

/** How long a visitor's page waits before it asks again: the nearer the turn, the sooner. */
const SECONDS_WHEN_INSIDE = 3;
const STEPS: readonly { readonly upTo: number; readonly seconds: number }[] = [
  { upTo: 1_000, seconds: 1 },
  { upTo: 5_000, seconds: 5 },
  { upTo: 10_000, seconds: 10 },
  { upTo: 100_000, seconds: 30 },
  { upTo: Number.POSITIVE_INFINITY, seconds: 60 },
];

/** `position` is the 1-based rank in line; undefined for someone who does not wait. */
export function nextPollSeconds(position: number | undefined): number {
  if (position === undefined) return SECONDS_WHEN_INSIDE;
  return STEPS.find(({ upTo }) => position <= upTo)!.seconds;
}

/** Before a draw there is nothing new to hear; the steps only keep the sign of life well within its time. */
const LOBBY_STEPS: readonly { readonly from: number; readonly seconds: number }[] = [
  { from: 600, seconds: 60 },
  { from: 60, seconds: 30 },
  { from: 20, seconds: 10 },
];
/** By when a draw is usually done, and how many pages a second are to ask for their number after it. */
const DRAW_SECONDS = 2;
const ASKING_PER_SECOND = 5_000;
const WIDEST_SPREAD_SECONDS = 20;

/**
 * How long a page in the lobby waits: until shortly after the draw, and then not all at once. The ticket, which is as
 * good as random, says who asks when.
 */
export function lobbyPollSeconds(ticket: string, { settings, waiting }: LobbyCrowd, now: number): number {
  const toOpening = settings.opensAt === undefined ? 0 : (Date.parse(settings.opensAt) - now) / 1000;
  const step = LOBBY_STEPS.find(({ from }) => toOpening >= from);
  const longest = Math.max(1, Math.floor(settings.seenTtlMs / 3_000));
  if (step !== undefined) return Math.min(step.seconds, longest);
  const share = Number.parseInt(ticket.slice(0, 4), 16) / 65_536;
  const spread = Math.min(WIDEST_SPREAD_SECONDS, waiting / ASKING_PER_SECOND) * share;
  return Math.min(Math.ceil(Math.max(0, toOpening) + DRAW_SECONDS + spread), longest);
}

type LobbyCrowd = Pick<Crowd, 'settings' | 'waiting'>;
