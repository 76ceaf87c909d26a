/**
 * How long a waiting visitor may be quiet before they count as away: three of their own poll intervals, 10 s at least,
 * plus the time that a sign of life may take to reach the store. Every door tells the interval by position; the store
 * notes it with each sign of life, because a fast line may bring a visitor to the head before their next poll.
 */
const POLLS_MISSED = 3;
const SHORTEST_QUIET_MS = 10_000;

/**
 * A process that answers polls from the ruler passes signs of life on this often: nearly every second poll of the
 * visitors next in line, who are few, so that these are known to be away after 12 s.
 */
const NEAR_POSITIONS = 100;
const NEAR_SIGN_EVERY_MS = 1_500;
const SIGN_EVERY_MS = 10_000;
/** How long the call to the store may take. */
const CALL_MS = 500;

/**
 * Positions that doors tell are within 2 % of the store's and one tick older: these bounds are 10 % below those of
 * nextPollSeconds, so that nobody is told to wait longer than is noted here.
 */
const QUIET_STEPS: readonly { readonly upTo: number; readonly quietMs: number }[] = [
  { upTo: NEAR_POSITIONS, quietMs: toQuietMs(1, NEAR_SIGN_EVERY_MS) },
  { upTo: 900, quietMs: toQuietMs(1, SIGN_EVERY_MS) },
  { upTo: 4_500, quietMs: toQuietMs(5, SIGN_EVERY_MS) },
  { upTo: 9_000, quietMs: toQuietMs(10, SIGN_EVERY_MS) },
  { upTo: 90_000, quietMs: toQuietMs(30, SIGN_EVERY_MS) },
  { upTo: Number.POSITIVE_INFINITY, quietMs: toQuietMs(60, SIGN_EVERY_MS) },
];

function toQuietMs(pollSeconds: number, signEveryMs: number): number {
  return Math.max(SHORTEST_QUIET_MS, POLLS_MISSED * pollSeconds * 1000) + signEveryMs + CALL_MS;
}

/** For a visitor who is heard from at this position. */
export function quietMsAt(position: number): number {
  let step = 0;
  while (position > QUIET_STEPS[step]!.upTo) step += 1;
  return QUIET_STEPS[step]!.quietMs;
}

/** In the lobby nobody is passed over. After the draw, whose end counts as a sign of life, pages poll within 22 s. */
export const LOBBY_QUIET_MS = toQuietMs(10, SIGN_EVERY_MS);

/**
 * How often a process that answers polls from the ruler passes signs of life on. It knows the position within 2 % and a
 * tick late, hence the margin.
 */
export function signEveryMsAt(position: number): number {
  return position <= 1.2 * NEAR_POSITIONS ? NEAR_SIGN_EVERY_MS : SIGN_EVERY_MS;
}

/**
 * Whether the next polls at `position`, as a door tells it, may come later than expected of a visitor noted with
 * `quietMs`: the line ahead has grown.
 */
export function outgrowsQuiet(position: number, quietMs: number): boolean {
  return quietMsAt(0.9 * position) > quietMs;
}

/** After this long without a tick nobody could be heard: quiet time counts from the next tick. */
export function longestTickGapMs(tickMs: number): number {
  return Math.max(5_000, 3 * tickMs);
}
