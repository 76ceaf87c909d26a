/** Read-only views of a line: the crowd, a visitor's standing, the pulse, the draw. */
import { toCommitment, toLot } from '../../draw/draw.ts';
import type { Pulse } from '../../estimate/pulse.ts';
import { measure, type Ruler } from '../../estimate/ruler.ts';
import { isUntold } from '../../model/draw-state.ts';
import type { Lane } from '../../model/lanes.ts';
import {
  countWaiting,
  isFromLobby,
  type Line,
  lobbyIdOf,
  orderOf,
  type Place,
  positionAt,
  positionOf,
  tokenIdOf,
} from '../../model/line.ts';
import { phaseAt } from '../../model/room-settings.ts';
import type { Crowd, LotFacts, Standing } from '../../model/standing.ts';
import { promisedEnd } from '../../rules/sessions.ts';
import type { DrawAnnouncement } from '../draws.ts';

export function toCrowd(line: Line, now: number): Crowd {
  const crowd: Crowd = {
    at: now,
    phase: phaseAt(line.settings, now),
    settings: line.settings,
    waiting: countWaiting(line),
    away: line.away.size,
    returnedAt: line.returnedAt,
    admitted: line.admitted.size,
    active: line.active.size,
    pace: line.pace,
    stock: line.stock && { slots: line.stock.slots, isSoldOut: line.stock.isSoldOut },
  };
  if (line.health !== undefined && line.settings.followHealth !== undefined) crowd.health = line.health;
  if (line.draw !== undefined) crowd.draw = line.draw.phase;
  return crowd;
}

export function toStanding(line: Line, place: Place | undefined, now: number): Standing {
  if (place === undefined) return { state: 'absent' };
  const { state, number, joinedAt, admittedAt } = place;
  // The most frequent case, without spreads.
  if (state === 'waiting' && line.draw === undefined && place.lane !== 'priority') {
    return { state, number, tokenId: tokenIdOf(line, place), joinedAt, position: positionOf(line, place) };
  }
  const lane = place.lane === 'priority' ? { lane: place.lane } : {};
  if (state === 'lobby' || isUntold(line.draw, number)) {
    return { state: 'lobby', joinedAt, ...lane, ...toLotFacts(line, place) };
  }
  const lotFacts = isFromLobby(line, place) ? toLotFacts(line, place) : {};
  const facts = { number, tokenId: tokenIdOf(line, place), joinedAt, ...lotFacts };
  if (state === 'waiting') return { state, ...facts, ...lane, position: positionOf(line, place) };
  return { state, ...facts, admittedAt, expiresAt: promisedEnd(line, place, now) };
}

/** The measurement of a tick. */
export function toPulse(line: Line, now: number): Pulse {
  const pulse = { at: now, crowd: toCrowd(line, now), ruler: measureLane(line, 'ordinary') };
  return line.priority.size === 0 ? pulse : { ...pulse, priorityRuler: measureLane(line, 'priority') };
}

function measureLane(line: Line, lane: Lane): Ruler {
  const isPlain = line.priority.size === 0 && line.lobby.size === 0;
  const toPosition = (rank: number, number: number) => positionAt(line, lane, rank, number);
  return measure(orderOf(line, lane), isPlain ? undefined : toPosition);
}

function toLotFacts(line: Line, place: Place): LotFacts {
  return { lot: toLot(line.draw!.lotKey, place.visitor), lobbyId: lobbyIdOf(line, place) };
}

/** undefined if the room has no draw. */
export function toAnnouncement({ draw, settings }: Line): DrawAnnouncement | undefined {
  if (draw === undefined || settings.opensAt === undefined) return undefined;
  const { phase, seed, listHash, count, firstNumber, drawnAt } = draw;
  const announced = { opensAt: settings.opensAt, commitment: toCommitment(seed) };
  if (phase !== 'drawn') return { phase, ...announced };
  return { phase, ...announced, seed, listHash, entries: count, firstNumber, drawnAt };
}
