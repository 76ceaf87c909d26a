/**
 * One broadcast pass: sends room changes to everyone at once, positions when each is due, and heartbeats on quiet
 * streams. Reads the store once per event, however many watch.
 */
import type { Logger } from 'pino';
import type { Stream } from '../../http/stream.ts';
import { type Pulse, rulerOf } from '../../line/estimate/pulse.ts';
import { isMissing, readRank } from '../../line/estimate/ruler.ts';
import type { WaiterStanding } from '../../line/model/standing.ts';
import type { Admissions } from '../../line/store/admissions.ts';
import type { Clock } from '../../platform/clock.ts';
import { createPositionFormatter, formatRoom, HEARTBEAT, type RoomFrame } from '../hub/frames.ts';
import type { Hub } from '../hub/hub.ts';
import type { LiveMetrics } from '../hub/live-metrics.ts';
import { formatWaiting } from '../hub/messages.ts';
import { LOBBY_SPACING_MS, positionSpacingMs } from '../hub/position-schedule.ts';
import { inSlices } from '../hub/slices.ts';
import type { Watcher } from '../hub/watcher.ts';

export interface BroadcastOptions {
  hub: Hub;
  admissions: Pick<Admissions, 'findPulse'>;
  metrics: LiveMetrics;
  log: Logger;
  clock: Clock;
  tickMs: number;
}

interface Round {
  now: number;
  tickMs: number;
  pulse: Pulse;
  room: RoomFrame;
  formatPosition: (standing: WaiterStanding) => string;
}

const HEARTBEAT_MS = 15_000;

export async function runBroadcastOnce(options: BroadcastOptions): Promise<'done'> {
  for (const eventId of options.hub.listEvents()) await broadcast(eventId, options);
  return 'done';
}

async function broadcast(eventId: string, options: BroadcastOptions): Promise<void> {
  const { hub, clock, metrics } = options;
  const round = await createRound(eventId, options);
  const startedAt = performance.now();
  let written = 0;
  await inSlices(hub.listWatchers(eventId), (slice) => {
    for (const watcher of slice) {
      const due = round && findDue(watcher, round);
      for (const stream of watcher.streams) {
        const news = round === undefined ? '' : newsOf(stream, watcher, due, round);
        const text = news || heartbeatDue(stream, clock.now());
        if (text === '') continue;
        hub.writeTo(watcher, stream, text);
        written += 1;
      }
    }
  });
  if (written > 0) metrics.observeBroadcast((performance.now() - startedAt) / 1000);
}

/** Undefined before the first tick or while the store is unavailable: then only heartbeats are sent. */
async function createRound(eventId: string, { admissions, clock, tickMs, log }: BroadcastOptions) {
  const pulse = await admissions.findPulse(eventId).catch((error) => {
    log.warn({ err: error, eventId }, 'live: reading the pulse failed; sending heartbeats only');
    return undefined;
  });
  if (pulse === undefined) return undefined;
  const formatPosition = createPositionFormatter(pulse.crowd, tickMs);
  // The clock of streams measures durations; the end of a message is a time of day, as the tick read it.
  const room = formatRoom(pulse.crowd, pulse.at);
  return { now: clock.now(), tickMs, pulse, room, formatPosition } satisfies Round;
}

function newsOf(stream: Stream, watcher: Watcher, due: WaiterStanding | undefined, round: Round): string {
  if (stream.format === 'message') return due === undefined ? '' : formatWaiting(watcher, due);
  return roomDue(stream, round) + (due === undefined ? '' : round.formatPosition(due));
}

function roomDue(stream: Stream, round: Round): string {
  if (stream.roomId === round.room.id) return '';
  stream.roomId = round.room.id;
  return round.room.text;
}

/** The standing to send if one is due. */
function findDue(watcher: Watcher, round: Round): WaiterStanding | undefined {
  const { now, tickMs, pulse } = round;
  const { standing } = watcher;
  if (standing.state === 'lobby') return lobbyDue(watcher, standing, round);
  // A pulse that was measured before the visitor joined says nothing about them.
  if (standing.state !== 'waiting' || pulse.at < standing.joinedAt) return undefined;
  const ruler = rulerOf(pulse, standing);
  // Not in line any more: admitted or gone. Whether a position is due does not matter for that.
  if (ruler === undefined || isMissing(ruler, standing.number)) {
    watcher.lookAt = 0;
    return undefined;
  }
  if (now < watcher.nextPositionAt || pulse.at === watcher.pulseAt) return undefined;
  const position = readRank(ruler, standing.number);
  watcher.pulseAt = pulse.at;
  watcher.nextPositionAt = now + positionSpacingMs(position, tickMs);
  return { ...standing, position };
}

/** Before the draw is done only the crowd changes; after it, triggers a look for the number. */
function lobbyDue(watcher: Watcher, standing: WaiterStanding, { now, pulse }: Round): WaiterStanding | undefined {
  if (pulse.crowd.draw === 'drawn') {
    watcher.lookAt = 0;
    return undefined;
  }
  if (now < watcher.nextPositionAt || pulse.at === watcher.pulseAt) return undefined;
  watcher.pulseAt = pulse.at;
  watcher.nextPositionAt = now + LOBBY_SPACING_MS;
  return standing;
}

function heartbeatDue(stream: Stream, now: number): string {
  return now - stream.writtenAt >= HEARTBEAT_MS ? HEARTBEAT : '';
}
