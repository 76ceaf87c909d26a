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
