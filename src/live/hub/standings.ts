/**
 * Sends watchers their own standing. A stream has three phases: it starts with the current standing; then it subscribes
 * to the feed and reads the store once more, so no change is missed in between; from then on hints and the regular look
 * bring changes. All content comes from the store, so a repeated or late hint is harmless (invariant 6).
 */
import type { Logger } from 'pino';
import type { Stream } from '../../http/stream.ts';
import { quietMsAt } from '../../line/model/presence.ts';
import type { RoomSettings } from '../../line/model/room-settings.ts';
import { type Crowd, isWaiter, type PresentStanding, placeIdOf, type Standing } from '../../line/model/standing.ts';
import type { FindTarget } from '../../line/model/target.ts';
import type { Visits } from '../../line/store/visits.ts';
import type { EntryTokens } from '../../line/tokens/entry-tokens.ts';
import type { Clock } from '../../platform/clock.ts';
import type { AdmissionFeed } from '../feed/admission-feed.ts';
import { createPositionFormatter, formatAdmitted, formatGone, formatReady, formatRetry, formatRoom } from './frames.ts';
import type { Hub } from './hub.ts';
import type { LiveMetrics } from './live-metrics.ts';
import { formatInside, formatReadyMessage, formatWaiting } from './messages.ts';
import { LOBBY_SPACING_MS, positionSpacingMs } from './position-schedule.ts';
import { inSlices } from './slices.ts';
import type { Watcher } from './watcher.ts';

export interface StandingsOptions {
  hub: Hub;
  visits: Pick<Visits, 'look'>;
  feed: AdmissionFeed;
  metrics: LiveMetrics;
  entryTokens: EntryTokens;
  findTarget: FindTarget;
  log: Logger;
  clock: Clock;
  tickMs: number;
}

export interface Arrival {
  eventId: string;
  visitor: string;
  stream: Stream;
  /** From the response of the store to the join. */
  standing: PresentStanding;
  crowd: Crowd;
  /** The Last-Event-ID of the client; used only if it is the id of the current room frame. */
  lastEventId: string | undefined;
}

/** When browsers reconnect: jittered, so that the end of a process brings some 10,000 of them per second, not all at once. */
const RETRY_MS = { min: 1_000, max: 5_000, spread: 500, perStream: 0.1 };
const LONGEST_SILENCE_MS = 30_000;
const SHARE_OF_QUIET = 0.4;
const ORDER: readonly Standing['state'][] = ['lobby', 'waiting', 'admitted', 'active'];

export class Standings {
  readonly #options: StandingsOptions;

  constructor(options: StandingsOptions) {
    this.#options = options;
  }

  /** Starts a stream. */
  open({ eventId, visitor, stream, standing, crowd, lastEventId }: Arrival): Watcher {
    const { hub, clock, tickMs } = this.#options;
    const known = hub.find(eventId, visitor);
    if (known !== undefined) this.send(known, standing, crowd);
    const now = clock.now();
    // The time of day of the last tick; `now` only measures durations.
    const room = formatRoom(crowd, crowd.pace.at);
    const own = this.#format({ eventId, visitor }, standing, crowd, stream);
    const knowsRoom = lastEventId === room.id || stream.format === 'message';
    const first = (knowsRoom ? '' : room.text) + own;
    stream.write(formatRetry(between(RETRY_MS.min, longestRetryMs(hub.size))) + first, now);
    stream.roomId = room.id;
    const nextPositionAt = now + spacingMs(standing, tickMs);
    const lookAt = now + between(0, presenceMs(crowd.settings, standing));
    const watcher = hub.add(stream, { eventId, visitor, standing, nextPositionAt, lookAt });
    this.#cutOver(watcher).catch((error) => this.#warn(error, eventId));
    return watcher;
  }

  /** Hints of admissions: they only trigger a look at the store. */
  noteAdmissions(eventId: string, visitors: readonly string[]): void {
    const watchers = visitors.flatMap((visitor) => this.#options.hub.find(eventId, visitor) ?? []);
    this.#options.metrics.countHints(watchers.length);
    // If the look fails, the next presence pass repeats it.
    for (const watcher of watchers) watcher.lookAt = 0;
    this.lookUp(watchers).catch((error) => this.#warn(error, eventId));
  }

  /** Marks these visitors as seen, and sends them what has changed. */
  async lookUp(watchers: readonly Watcher[]): Promise<void> {
    await inSlices(watchers, (slice) => Promise.all(slice.map((watcher) => this.#look(watcher))));
  }

  /** Sends a standing if it is news for the watcher. */
  send(watcher: Watcher, standing: Standing, crowd: Crowd): void {
    const { hub } = this.#options;
    if (standing.state === 'absent') {
      hub.end(watcher, formatGone(watcher.standing.state === 'active' ? 'ended' : 'lapsed'), 'gone');
    } else if (isNews(watcher.standing, standing, crowd.settings)) {
      watcher.standing = standing;
      hub.write(watcher, (stream) => this.#format(watcher, standing, crowd, stream));
    }
  }

  async #cutOver(watcher: Watcher): Promise<void> {
    await this.#options.feed.connected(watcher.eventId, watcher.visitor);
    if (isWaiter(watcher.standing)) await this.#look(watcher);
  }

  async #look(watcher: Watcher): Promise<void> {
    const { visits, hub, clock } = this.#options;
    if (watcher.streams.length === 0) return;
    const outcome = await visits.look(watcher.eventId, watcher.visitor);
    if (outcome.outcome === 'no-room') return hub.end(watcher, formatGone('ended'), 'gone');
    watcher.lookAt = clock.now() + presenceMs(outcome.crowd.settings, outcome.standing) * between(0.75, 1);
    this.send(watcher, outcome.standing, outcome.crowd);
  }

  #format(
    who: Pick<Watcher, 'eventId' | 'visitor'>,
    standing: PresentStanding,
    crowd: Crowd,
    { format, wanted }: Stream,
  ): string {
    const { entryTokens, findTarget, tickMs } = this.#options;
    const { eventId, visitor } = who;
    if (format === 'message') {
      if (isWaiter(standing)) return formatWaiting(who, standing);
      if (standing.state === 'admitted') return formatReadyMessage(who);
      return formatInside(who, entryTokens.issue(eventId, visitor, standing));
    }
    if (isWaiter(standing)) return createPositionFormatter(crowd, tickMs)(standing);
    const target = findTarget({ eventId, settings: crowd.settings, to: wanted });
    if (standing.state === 'admitted') return formatReady(standing, target);
    return formatAdmitted(entryTokens.issue(eventId, visitor, standing), standing, target);
  }

  #warn(error: Error, eventId: string): void {
    this.#options.log.warn({ err: error, eventId }, 'live: lookup failed; will retry');
  }
}

/** A place only moves forward, so a standing behind the one already sent is a stale response. */
function isNews(sent: Standing, standing: PresentStanding, { activeTtlMs }: RoomSettings): boolean {
  if (sent.state === 'absent' || placeIdOf(sent) !== placeIdOf(standing)) return true;
  if (sent.state !== standing.state) return ORDER.indexOf(standing.state) > ORDER.indexOf(sent.state);
  if (isWaiter(standing) || isWaiter(sent)) return false;
  if (standing.state === 'admitted') return standing.expiresAt > sent.expiresAt;
  // Being seen extends the session beyond the token: send a new token, with the same id, at half time.
  return standing.expiresAt - sent.expiresAt >= activeTtlMs / 2;
}

function spacingMs(standing: PresentStanding, tickMs: number): number {
  if (standing.state === 'lobby') return LOBBY_SPACING_MS;
  return standing.state === 'waiting' ? positionSpacingMs(standing.position, tickMs) : 0;
}

/**
 * How often a connected visitor is marked as seen: often enough to survive one failed attempt, not to be passed over and,
 * in a claim room, to notice that being ready has ended.
 */
function presenceMs(settings: RoomSettings, standing: Standing): number {
  const { seenTtlMs, activeTtlMs, claimTtlMs, admission } = settings;
  const quietMs = standing.state === 'waiting' ? quietMsAt(0.9 * standing.position) : Number.POSITIVE_INFINITY;
  const shortest = Math.min(LONGEST_SILENCE_MS, seenTtlMs / 3, activeTtlMs / 3, quietMs * SHARE_OF_QUIET);
  return admission === 'claim' ? Math.min(shortest, claimTtlMs / 3) : shortest;
}

function longestRetryMs(streams: number): number {
  return Math.min(RETRY_MS.max, RETRY_MS.min + Math.max(RETRY_MS.spread, streams * RETRY_MS.perStream));
}

function between(low: number, high: number): number {
  return low + Math.random() * (high - low);
}
