/** What a waiting visitor is told, whichever door they wait at: the same fields by the same names. */
import { estimateWait, type KnownWait, type UnknownWait, type WaitEstimate } from '../estimate/estimate.ts';
import type { WaitChange } from '../model/pace.ts';
import type { Phase, RoomSettings } from '../model/room-settings.ts';
import type { Crowd, InsideStanding, WaiterStanding } from '../model/standing.ts';

/** About the line as a whole: the same for everyone in it. */
export function toCrowdFields({ waiting, admitted, active, settings }: Crowd) {
  return { queueSize: waiting, currentUsers: admitted + active, threshold: settings.maxActive };
}

export interface PlaceFields extends OccasionalFields {
  number: number;
  position: number;
  peopleAhead: number;
  peopleBehind: number;
  /** In seconds; null where waitReason says why. */
  estimatedWait: number | null;
}

export interface OccasionalFields {
  lane?: 'priority';
  /** By which the visitor took part in the draw, where there was one. */
  drawLot?: string;
  estimatedWaitRange?: { low: number; high: number };
  confidence?: number;
  waitChange?: ToldChange;
  waitReason?: UnknownWait['reason'] | 'draw';
  waitUntil?: string;
}

/** About one place in it. */
export function toPlaceFields(standing: StandingInLine, crowd: Crowd, tickMs: number): PlaceFields {
  const { number, position } = standing;
  const wait = waitAt(position, crowd, tickMs);
  const place: PlaceFields = {
    number,
    position,
    peopleAhead: position - 1,
    peopleBehind: countBehind(position, crowd),
    estimatedWait: secondsOf(wait),
  };
  addOccasional(place, standing, wait, crowd.settings);
  return place;
}

type StandingInLine = { number: number; position: number; lot?: string } & LaneField;

export function waitAt(position: number, crowd: Crowd, tickMs: number): WaitEstimate {
  const { phase, settings, pace, stock } = crowd;
  return estimateWait({ position, phase, settings, inside: crowd.admitted + crowd.active, pace, stock, tickMs });
}

export function countBehind(position: number, { waiting }: Crowd): number {
  return Math.max(0, waiting - position);
}

export function secondsOf(wait: WaitEstimate): number | null {
  return wait.known ? wait.seconds : null;
}

/** Those fields about a place that it does not always have. */
export function addOccasional(
  place: OccasionalFields,
  { lane, lot }: StandingInLine,
  wait: WaitEstimate,
  settings: RoomSettings,
): void {
  if (lane !== undefined) place.lane = lane;
  if (lot !== undefined) place.drawLot = lot;
  if (wait.known) addRange(place, wait, settings);
  else addReason(place, wait, settings);
}

function addRange(place: OccasionalFields, wait: KnownWait, settings: RoomSettings): void {
  place.estimatedWaitRange = { low: wait.low, high: wait.high };
  place.confidence = wait.confidence;
  const change = toldChange(wait.change, settings);
  if (change !== undefined) place.waitChange = change;
}

function addReason(place: OccasionalFields, { reason }: UnknownWait, { opensAt }: RoomSettings): void {
  place.waitReason = reason;
  if (reason === 'not_open' && opensAt !== undefined) place.waitUntil = opensAt;
}

/** About somebody who has none yet, because numbers are drawn when the room opens. */
export function toLobbyFields({ lot, lane }: { lot: string } & LaneField) {
  return { drawLot: lot, ...toLaneField({ lane }), estimatedWait: null, waitReason: 'draw' as const };
}

type LaneField = { lane?: WaiterStanding['lane'] | undefined };

/** Told only to those who stand in the lane that goes first. */
export function toLaneField({ lane }: LaneField): { lane?: 'priority' } {
  return lane === undefined ? {} : { lane };
}

/** `lanes`: others have come, or may come, who go before by the share that the room keeps for its lanes. */
export type ToldChange = WaitChange | 'lanes';

function toldChange(change: WaitChange | undefined, { priorityShare }: RoomSettings): ToldChange | undefined {
  return change ?? (priorityShare > 0 ? 'lanes' : undefined);
}

/** By which a visitor took part in the draw, where there was one. */
export function toLotFields({ lot }: { lot?: string }): { drawLot?: string } {
  return lot === undefined ? {} : { drawLot: lot };
}

/** About the place of somebody who may enter by asking. */
export function toReadyFields({ number, expiresAt }: InsideStanding) {
  const enterBy = new Date(expiresAt).toISOString();
  return { number, position: 0, peopleAhead: 0, estimatedWait: 0, readyForEntry: true, enterBy };
}

export interface RoomFields {
  state: Phase;
  opensAt?: string;
  closesAt?: string;
  message?: NonNullable<RoomSettings['message']>;
  /** Percent of admissions that go to members first while others wait too; absent where they have no lane. */
  priorityShare?: number;
  /** Nothing is left and nothing is held; whoever stays in line is first when something is given back. */
  soldOut?: true;
  /** How long a page may be closed without losing its place. */
  keptSeconds: number;
}

/** What the operator says: whether people are let in, its hours, a word to those who wait; and whether all is sold. */
export function toRoomFields({ phase, settings, stock }: Crowd): RoomFields {
  const keptMs = Math.min(settings.disconnectGraceMs, settings.seenTtlMs);
  const fields: RoomFields = { state: phase, keptSeconds: Math.floor(keptMs / 1000) };
  if (settings.opensAt !== undefined) fields.opensAt = settings.opensAt;
  if (settings.closesAt !== undefined) fields.closesAt = settings.closesAt;
  if (settings.message !== undefined) fields.message = settings.message;
  if (settings.priorityShare > 0) fields.priorityShare = settings.priorityShare;
  if (settings.followStock && stock?.isSoldOut) fields.soldOut = true;
  return fields;
}
