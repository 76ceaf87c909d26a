/**
 * One event's line as data: who waits, who was let in, who is active, and what admission needs to know. The rules in
 * rules/ are the only code that changes it. Counts are the sizes of these sets and are kept nowhere else.
 */
import { DeadlineHeap } from '../../platform/collections/deadline-heap.ts';
import { AdmissionHistory } from './admission-history.ts';
import { type Draw, isDrawnNumber } from './draw-state.ts';
import type { Lane } from './lanes.ts';
import { NumberSet } from './number-set.ts';
import { type Pace, unmeasured } from './pace.ts';
import { type RoomOverrides, type RoomSettings, toSettings } from './room-settings.ts';
import type { Stock } from './stock.ts';
import { WaitingOrder } from './waiting-order.ts';

export interface Place {
  readonly visitor: string;
  /** What orders the line; never changes. In the lobby it only counts arrivals, and is told to nobody. */
  number: number;
  state: 'lobby' | 'waiting' | 'admitted' | 'active';
  /** In which the visitor waits, or waited; never changes. */
  readonly lane: Lane;
  readonly joinedAt: number;
  seenAt: number;
  /** When the visitor was let in, by the admitter or straight at joining; 0 while waiting. */
  admittedAt: number;
  /** When the visitor showed up after being let in; 0 before. The cap on the session counts from here. */
  activeAt: number;
  /** When the claim (admitted) or the session (active) ends; 0 while waiting. */
  expiresAt: number;
}

/** What a rule changed, in absolute terms: replaying the changes in order, or the last ones twice, gives the same line. */
export type LineChange =
  | { readonly kind: 'put'; readonly place: Place }
  | { readonly kind: 'gone'; readonly number: number }
  | { readonly kind: 'gone-from-lobby'; readonly arrival: number }
  | { readonly kind: 'cleared'; readonly below: number; readonly arrivedBelow: number }
  | { readonly kind: 'draw'; readonly draw: Draw | undefined }
  | { readonly kind: 'gathered'; readonly draw: Draw; readonly from: number }
  | { readonly kind: 'numbers-given'; readonly from: number; readonly numbers: readonly number[] }
  | { readonly kind: 'numbered'; readonly by: string | undefined; readonly nextNumber: number }
  | { readonly kind: 'exchanged'; readonly number: number }
  | { readonly kind: 'stock'; readonly stock: Stock }
  | { readonly kind: 'credit'; readonly credit: number };

export interface Bucket {
  /** Starts without bound, which the first refill cuts to the bucket's size: a new room may begin with a burst. */
  tokens: number;
  refilledAt: number;
}

/** The last time in which nobody ticked; all 0 if there was none. */
export interface Standstill {
  stoppedAt: number;
  resumedAt: number;
  /** Until then, what was not over when it began is not over. */
  graceUntil: number;
}

export interface Line {
  readonly eventId: string;
  /** Random, made with the room. Token ids are `epoch.number`, so they never meet those of a room that was lost. */
  readonly epoch: string;
  overrides: RoomOverrides;
  settings: RoomSettings;
  nextNumber: number;
  /** The activation of tier 1 that gives the numbers now; undefined while the line does. */
  numberedBy: string | undefined;
  /** Numbers of tier 1 that somebody has come with. */
  readonly exchanged: NumberSet;
  readonly places: Map<string, Place>;
  /** Those in the ordinary lane. */
  readonly waiting: WaitingOrder<Place>;
  /** Those in the lane that goes first. */
  readonly priority: WaitingOrder<Place>;
  /** What the priority lane has towards its next turn: see lanes.ts. */
  credit: number;
  /** Those who came before a draw, by arrival. */
  readonly lobby: WaitingOrder<Place>;
  nextArrival: number;
  /** Of a room whose order is by lot. */
  draw: Draw | undefined;
  readonly admitted: Set<Place>;
  readonly active: Set<Place>;
  /** When each waiter would lapse if not seen again. */
  readonly silences: DeadlineHeap<Place>;
  /** When each claim or session ends. */
  readonly endings: DeadlineHeap<Place>;
  readonly bucket: Bucket;
  readonly history: AdmissionHistory;
  readonly flow: Flow;
  /** What is left to sell, as the shop last said; undefined before it has. */
  stock: Stock | undefined;
  /** As the last tick measured it. */
  pace: Pace;
  /** When admission last ran; 0 before the first time. */
  tickedAt: number;
  standstill: Standstill;
  /** How often admission runs: a rate of admissions is spread over ticks of this length. */
  readonly tickMs: number;
  /** What happened since somebody last asked, for metrics. */
  tally: Tally;
  readonly totals: Totals;
  /** Told of every change that must outlive the process. */
  onChange: (change: LineChange) => void;
}

/** What the pace is measured by. */
export interface Flow {
  /** The seconds (since 1970) at which those inside were let in, added up; from it follows how long they have been there. */
  enteredSeconds: number;
  /** Slots that came free since the last tick. */
  freed: number;
  /** Waiters who left or lapsed since the last tick. */
  departed: number;
}

export interface Tally {
  /** Waiters not seen for seenTtlMs. */
  lapsed: number;
  /** Admitted visitors who did not show up within claimTtlMs. */
  noShows: number;
  /** Sessions that ran out. */
  ended: number;
}

/** Counts that only grow while the store lives: what happened between two looks is their difference. */
export interface Totals {
  /** Let in from the line. */
  admitted: number;
  noShows: number;
}

export const emptyTally = (): Tally => ({ lapsed: 0, noShows: 0, ended: 0 });

export interface LineSeed {
  eventId: string;
  epoch: string;
  defaults: RoomSettings;
  overrides: RoomOverrides;
  tickMs: number;
}

export function createLine({ eventId, epoch, defaults, overrides, tickMs }: LineSeed): Line {
  return {
    eventId,
    epoch,
    overrides,
    settings: toSettings(defaults, overrides),
    nextNumber: 1,
    numberedBy: undefined,
    exchanged: new NumberSet(),
    places: new Map(),
    waiting: new WaitingOrder(),
    priority: new WaitingOrder(),
    credit: 0,
    lobby: new WaitingOrder(),
    nextArrival: 1,
    draw: undefined,
    admitted: new Set(),
    active: new Set(),
    silences: new DeadlineHeap(),
    endings: new DeadlineHeap(),
    bucket: { tokens: Number.POSITIVE_INFINITY, refilledAt: 0 },
    history: new AdmissionHistory(),
    flow: { enteredSeconds: 0, freed: 0, departed: 0 },
    stock: undefined,
    pace: unmeasured,
    tickedAt: 0,
    standstill: { stoppedAt: 0, resumedAt: 0, graceUntil: 0 },
    tickMs,
    tally: emptyTally(),
    totals: { admitted: 0, noShows: 0 },
    onChange: () => {},
  };
}

/** In line or in the lobby. */
export function countWaiting(line: Line): number {
  return countInLine(line) + line.lobby.size;
}

/** In either lane. */
export function countInLine({ waiting, priority }: Line): number {
  return waiting.size + priority.size;
}

/** The order in which those of a lane stand. */
export function orderOf(line: Line, lane: Lane): WaitingOrder<Place> {
  return lane === 'priority' ? line.priority : line.waiting;
}

/** Admitted + active: what maxActive bounds. */
export function countInside(line: Line): number {
  return line.admitted.size + line.active.size;
}

export function tokenIdOf(line: Line, place: Place): string {
  return `${line.epoch}.${place.number}`;
}

/**
 * Names the place of somebody who came before the draw, from then on and also once it has a number: of all places that
 * the visitor has had, the one that began at that time.
 */
export function lobbyIdOf({ epoch }: Pick<Line, 'epoch'>, { joinedAt }: { joinedAt: number }): string {
  return `${epoch}.@${joinedAt}`;
}

/** In the lobby, or with a number by lot. */
export function isFromLobby({ draw }: Line, { state, number }: Place): boolean {
  return state === 'lobby' || (draw !== undefined && isDrawnNumber(draw, number));
}

/** Whether `id` is the place's: by its number or, from before it had one, by when it began. */
export function isPlaceNamed(line: Line, place: Place, id: string): boolean {
  if (isFromLobby(line, place) && id === lobbyIdOf(line, place)) return true;
  return place.state !== 'lobby' && id === tokenIdOf(line, place);
}
