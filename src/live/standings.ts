/**
 * What a watcher is told of their own standing. A stream lives in three phases: it begins with what holds now; then the
 * feed is told and the store asked once more, so that nothing falls in between; from then on hints and the regular look
 * bring the changes. Everything said comes from the store, so being told twice or late does no harm.
 */
import type { Logger } from 'pino';
import type { Stream } from '../http/stream.ts';
import type { RoomSettings } from '../line/model/room-settings.ts';
import { type Crowd, isWaiter, type PresentStanding, placeIdOf, type Standing } from '../line/model/standing.ts';
import type { Visits } from '../line/store/visits.ts';
import type { EntryTokens } from '../line/tokens/entry-tokens.ts';
import type { Clock } from '../platform/clock.ts';
import type { AdmissionFeed } from './admission-feed.ts';
import { createPositionFormatter, formatAdmitted, formatGone, formatReady, formatRetry, formatRoom } from './frames.ts';
import type { Hub } from './hub.ts';
import type { LiveMetrics } from './live-metrics.ts';
import { LOBBY_SPACING_MS, positionSpacingMs } from './position-schedule.ts';
import { inSlices } from './slices.ts';
import type { Watcher } from './watcher.ts';

export interface StandingsOptions {
  hub: Hub;
  visits: Pick<Visits, 'look'>;
  feed: AdmissionFeed;
  metrics: LiveMetrics;
  entryTokens: EntryTokens;
  log: Logger;
  clock: Clock;
  tickMs: number;
}

export interface Arrival {
  eventId: string;
  visitor: string;
  stream: Stream;
  /** As the store answered to joining. */
  standing: PresentStanding;
  crowd: Crowd;
  /** What the client says it saw last; of use only where it is the id of the room's present state. */
  lastEventId: string | undefined;
}

/** Browsers come back after this long; spread out, so that a restart does not bring all of them at once. */
const RETRY_MS = { least: 1_000, most: 5_000 };
const LONGEST_SILENCE_MS = 30_000;
const ORDER: readonly Standing['state'][] = ['lobby', 'waiting', 'admitted', 'active'];

export class Standings {
  readonly #options: StandingsOptions;

  constructor(options: StandingsOptions) {
    this.#options = options;
  }

  /** Begins a stream. */
  welcome({ eventId, visitor, stream, standing, crowd, lastEventId }: Arrival): Watcher {
    const { hub, clock, tickMs } = this.#options;
    const known = hub.find(eventId, visitor);
    if (known !== undefined) this.tell(known, standing, crowd);
    const now = clock.now();
    const room = formatRoom(crowd);
    const news = (lastEventId === room.id ? '' : room.text) + this.#format(eventId, visitor, standing, crowd);
    stream.write(formatRetry(between(RETRY_MS.least, RETRY_MS.most)) + news, now);
    stream.roomId = room.id;
    const nextPositionAt = now + spacingMs(standing, tickMs);
    const lookAt = now + between(0, presenceMs(crowd.settings));
    const watcher = hub.add(stream, { eventId, visitor, standing, nextPositionAt, lookAt });
    this.#cutOver(watcher).catch((error) => this.#note(error, eventId));
    return watcher;
  }

  /** News of admissions: a hint to look, never what is told. */
  noteAdmissions(eventId: string, visitors: readonly string[]): void {
    const watchers = visitors.flatMap((visitor) => this.#options.hub.find(eventId, visitor) ?? []);
    this.#options.metrics.countHints(watchers.length);
    this.lookUp(watchers).catch((error) => this.#note(error, eventId));
  }

  /** Notes that these visitors are there, and tells them what has changed for them. */
  async lookUp(watchers: readonly Watcher[]): Promise<void> {
    await inSlices(watchers, (slice) => Promise.all(slice.map((watcher) => this.#look(watcher))));
  }

  /** Sends what is new about a standing; nothing if the watcher knows it. */
  tell(watcher: Watcher, standing: Standing, crowd: Crowd): void {
    const { hub } = this.#options;
    if (standing.state === 'absent') {
      hub.end(watcher, formatGone(watcher.standing.state === 'active' ? 'ended' : 'lapsed'), 'gone');
    } else if (isNews(watcher.standing, standing, crowd.settings)) {
      watcher.standing = standing;
      hub.write(watcher, this.#format(watcher.eventId, watcher.visitor, standing, crowd));
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
    watcher.lookAt = clock.now() + presenceMs(outcome.crowd.settings) * between(0.75, 1);
    this.tell(watcher, outcome.standing, outcome.crowd);
  }

  #format(eventId: string, visitor: string, standing: PresentStanding, crowd: Crowd): string {
    const { entryTokens, tickMs } = this.#options;
    if (isWaiter(standing)) return createPositionFormatter(crowd, tickMs)(standing);
    if (standing.state === 'admitted') return formatReady(standing);
    return formatAdmitted(entryTokens.issue(eventId, visitor, standing), standing);
  }

  #note(error: Error, eventId: string): void {
    this.#options.log.warn({ err: error, eventId }, 'live: the store could not be asked; the next look will');
  }
}

/** A place goes forward only, so a standing that is behind what was told is an answer that was overtaken. */
function isNews(told: Standing, standing: PresentStanding, { activeTtlMs }: RoomSettings): boolean {
  if (told.state === 'absent' || placeIdOf(told) !== placeIdOf(standing)) return true;
  if (told.state !== standing.state) return ORDER.indexOf(standing.state) > ORDER.indexOf(told.state);
  if (isWaiter(standing) || isWaiter(told)) return false;
  if (standing.state === 'admitted') return standing.expiresAt > told.expiresAt;
  // Being there prolongs the session beyond what the token says: a new one, with the same id, at half time.
  return standing.expiresAt - told.expiresAt >= activeTtlMs / 2;
}

function spacingMs(standing: PresentStanding, tickMs: number): number {
  if (standing.state === 'lobby') return LOBBY_SPACING_MS;
  return standing.state === 'waiting' ? positionSpacingMs(standing.position, tickMs) : 0;
}

/**
 * How often a connected visitor is noted as present: often enough that one failed attempt costs them nothing, and, where
 * being ready has an end, that they hear of it.
 */
function presenceMs({ seenTtlMs, activeTtlMs, claimTtlMs, admission }: RoomSettings): number {
  const shortest = Math.min(LONGEST_SILENCE_MS, seenTtlMs / 3, activeTtlMs / 3);
  return admission === 'claim' ? Math.min(shortest, claimTtlMs / 3) : shortest;
}

function between(low: number, high: number): number {
  return low + Math.random() * (high - low);
}
