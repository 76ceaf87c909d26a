/** Reads what scripts reply about a room: see roomView in includes/line.lua. */
import type { DrawPhase, LotRange } from '../../../model/draw-state.ts';
import type { Totals } from '../../../model/line.ts';
import { type Pace, unmeasured, type WaitChange } from '../../../model/pace.ts';
import { phaseAt, type RoomOverrides, type RoomSettings, toSettings } from '../../../model/room-settings.ts';
import type { HealthCause, SiteHealth } from '../../../model/site-health.ts';
import type { Crowd } from '../../../model/standing.ts';
import type { StockView } from '../../../model/stock.ts';

export type RoomViewReply = [
  epoch: string,
  overrides: string,
  version: number,
  now: number,
  waiting: number,
  admitted: number,
  active: number,
  pace: string,
  stock: string,
  drawPhase: DrawPhase | '',
  lotKey: string,
  firstNumber: number,
  size: number,
  admittedTotal: number,
  noShowsTotal: number,
  away: number,
  returnedAt: number,
  health: string,
  tickedAt: number,
];

export interface RoomView {
  epoch: string;
  /** When the last tick ran; 0 before the first. */
  tickedAt: number;
  version: number;
  overrides: RoomOverrides;
  crowd: Crowd;
  totals: Totals;
  /** undefined if the room has no draw. */
  draw: (LotRange & { lotKey: string }) | undefined;
}

export interface CrowdFacts {
  at: number;
  overrides: RoomOverrides;
  waiting: number;
  /** Absent, as returnedAt, in a pulse from before an upgrade. */
  away?: number;
  returnedAt?: number;
  admitted: number;
  active: number;
  /** See includes/measure-pace.lua; '' before the first tick. */
  pace: string;
  /** See put-stock.lua; '' before the first report of the shop. */
  stock: string;
  /** '' without a draw. */
  draw: DrawPhase | '';
  /** See includes/health.lua; '' before the first tick of a room that follows the health of the site. */
  health: string;
}

export function toRoomView(reply: RoomViewReply, defaults: RoomSettings): RoomView {
  const [epoch, json, version, at, waiting, admitted, active, pace, stock, phase, ...more] = reply;
  const [lotKey, firstNumber, size, admittedTotal, noShowsTotal, away, returnedAt, health, tickedAt] = more;
  const counts = { waiting, away, returnedAt, admitted, active };
  const overrides: RoomOverrides = JSON.parse(json);
  const crowd = toCrowd({ at, overrides, ...counts, pace, stock, draw: phase, health }, defaults);
  const draw = phase === '' ? undefined : { phase, lotKey, firstNumber, size };
  const totals = { admitted: admittedTotal, noShows: noShowsTotal };
  return { epoch, tickedAt, version, overrides, crowd, totals, draw };
}

export function toCrowd(facts: CrowdFacts, defaults: RoomSettings): Crowd {
  const { at, overrides, waiting, away = 0, returnedAt = 0, admitted, active, pace, stock, draw, health } = facts;
  const settings = toSettings(defaults, overrides);
  const crowd: Crowd = {
    at,
    phase: phaseAt(settings, at),
    settings,
    waiting,
    away,
    returnedAt,
    admitted,
    active,
    pace: toPace(pace),
    stock: toStockView(stock),
  };
  if (draw !== '') crowd.draw = draw;
  if (health && settings.followHealth !== undefined) crowd.health = toHealth(health);
  return crowd;
}

function toStockView(text: string): StockView | undefined {
  if (text === '') return undefined;
  const [slots, isSoldOut] = text.split(',');
  return { slots: Number(slots), isSoldOut: isSoldOut === '1' };
}

function toHealth(text: string): SiteHealth {
  const [perSecond, cause, errorShare, p95Ms, decidedAt, loweredAt, risenTo] = text.split(',');
  return {
    perSecond: Number(perSecond),
    cause: cause === '' ? undefined : (cause as HealthCause),
    errorShare: Number(errorShare),
    p95Ms: Number(p95Ms),
    decidedAt: Number(decidedAt),
    loweredAt: Number(loweredAt),
    risenTo: Number(risenTo),
  };
}

function toPace(text: string): Pace {
  if (text === '') return unmeasured;
  const [
    at,
    observed,
    slotTime,
    slotError,
    depart,
    inside,
    change,
    changedAt,
    maxActive,
    perSecond,
    isOpen,
    ...before
  ] = text.split(',');
  return {
    at: Number(at),
    observedPerSecond: observed === '' ? undefined : Number(observed),
    slotSeconds: Number(slotTime),
    slotError: Number(slotError),
    departPerSecond: Number(depart),
    insideSeconds: Number(inside),
    change: change === '' ? undefined : (change as WaitChange),
    changedAt: Number(changedAt),
    before: toPaceBefore(before),
    limits: { maxActive: Number(maxActive), perSecond: Number(perSecond), isOpen: isOpen === '1' },
  };
}

/** Absent without a change, and in a pace that an older version measured. */
function toPaceBefore([maxActive, perSecond, slotTime]: string[]): Pace['before'] {
  if (maxActive === undefined) return undefined;
  return { maxActive: Number(maxActive), perSecond: Number(perSecond), slotSeconds: Number(slotTime) };
}
