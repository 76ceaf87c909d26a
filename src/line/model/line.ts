/**
 * The line of one event as data: visitors waiting, admitted and active, and what admission needs. Only the rules in
 * rules/ change it. Counts are the sizes of these sets and are stored nowhere else (invariant 4).
 */
import { DeadlineHeap } from '../../platform/collections/deadline-heap.ts';
import { AdmissionHistory } from './admission-history.ts';
import { type Draw, isDrawnNumber } from './draw-state.ts';
import { countGoingBefore, type Lane } from './lanes.ts';
import { NumberSet } from './number-set.ts';
import { type Pace, unmeasured } from './pace.ts';
import { type RoomOverrides, type RoomSettings, toSettings } from './room-settings.ts';
import type { ScheduledChange } from './scheduled-change.ts';
import { type HealthWindow, noReports, type SiteHealth } from './site-health.ts';
import type { Stock } from './stock.ts';
import { WaitingOrder } from './waiting-order.ts';

export interface Place {
  readonly visitor: string;
  /** Orders the line; never changes. In the lobby it only counts arrivals and is not shown to anyone. */
  number: number;
  state: 'lobby' | 'waiting' | 'admitted' | 'active';
  /** The lane in which the visitor waits or waited; never changes. */
  readonly lane: Lane;
  readonly joinedAt: number;
  seenAt: number;
  /** While waiting: how long the visitor may be quiet before they are passed over; see presence.ts. */
  quietMs: number;
  /** While waiting: the live connection closed after the last sign of life. */
  isDisconnected: boolean;
  /** While waiting: passed over, and not heard from since. In `away`, and in no lane. */
  isAway: boolean;
  /** When the visitor was admitted, by the admitter or directly by the join; 0 while waiting. */
  admittedAt: number;
  /** When the visitor showed up after admission; 0 before. activeMaxTtlMs counts from here. */
  activeAt: number;
  /** Admitted: whether the visitor has been told that it is their turn. */
  isTold: boolean;
  /** When the claim (admitted) or the session (active) ends; 0 while waiting. */
  expiresAt: number;
}

/** What a rule changed, in absolute values: replaying the changes, or the last ones twice, gives the same line. */
export type LineChange =
  | { readonly kind: 'put'; readonly place: Place }
  | { readonly kind: 'gone'; readonly number: number }
  | { readonly kind: 'away'; readonly number: number; readonly isAway: boolean }
  | { readonly kind: 'gone-from-lobby'; readonly arrival: number }
  | { readonly kind: 'cleared'; readonly below: number; readonly arrivedBelow: number }
  | { readonly kind: 'draw'; readonly draw: Draw | undefined }
  | { readonly kind: 'gathered'; readonly draw: Draw; readonly from: number }
  | { readonly kind: 'numbers-given'; readonly from: number; readonly numbers: readonly number[] }
  | { readonly kind: 'numbered'; readonly by: string | undefined; readonly nextNumber: number }
  | { readonly kind: 'exchanged'; readonly number: number }
  | { readonly kind: 'stock'; readonly stock: Stock }
  | { readonly kind: 'health'; readonly health: SiteHealth | undefined }
  | { readonly kind: 'credit'; readonly credit: number }
  | { readonly kind: 'scheduled'; readonly scheduled: readonly ScheduledChange[] };

export interface Bucket {
  /** Infinite at first; the first refill cuts it to the bucket's size, so a new room may begin with a burst. */
  tokens: number;
  refilledAt: number;
  /** Tokens of no-shows: see rules/returned-tokens.ts. */
  returned: number;
}

/** The last period without a tick; all 0 if there was none. */
export interface Standstill {
  stoppedAt: number;
  resumedAt: number;
  /** Claims and sessions that had not ended at `stoppedAt` do not end before this. */
  graceUntil: number;
}

export interface Line {
  readonly eventId: string;
  /** Random, created with the room. Token ids are `epoch.number`, so they never collide with those of a lost room. */
  readonly epoch: string;
  overrides: RoomOverrides;
  settings: RoomSettings;
  /** By time. */
  scheduled: readonly ScheduledChange[];
  nextNumber: number;
  /** The activation of tier 1 that assigns the numbers now; undefined while the line does. */
  numberedBy: string | undefined;
  /** The last activations that ended, the newest first. Not journaled: no call to the embedded store outlives its process. */
  endedActivations: readonly string[];
  /** Numbers of tier 1 that were exchanged for a place. */
  readonly exchanged: NumberSet;
  readonly places: Map<string, Place>;
  /** The ordinary lane. */
  readonly waiting: WaitingOrder<Place>;
  /** The priority lane. */
  readonly priority: WaitingOrder<Place>;
  /** Waiting visitors who were passed over, by number. They are in no lane until they are heard from. */
  readonly away: Map<number, Place>;
  /** When a visitor who was away last came back; 0 if none has. */
  returnedAt: number;
  /** Quiet time before this does not count: nobody could be heard. */
  presentFrom: number;
  /** The credit of the priority lane: see lanes.ts. */
  credit: number;
  /** Visitors present before a draw, by arrival. */
  readonly lobby: WaitingOrder<Place>;
  nextArrival: number;
  /** Only in a room whose order is drawn. */
  draw: Draw | undefined;
  readonly admitted: Set<Place>;
  readonly active: Set<Place>;
  /** When each waiting visitor lapses unless seen again. */
  readonly silences: DeadlineHeap<Place>;
  /** When each claim or session ends. */
  readonly endings: DeadlineHeap<Place>;
  readonly bucket: Bucket;
  readonly history: AdmissionHistory;
  readonly flow: Flow;
  /** What is left to sell, as last reported by the shop; undefined before the first report. */
  stock: Stock | undefined;
  /** Only in a room that follows the health of the site. */
  health: SiteHealth | undefined;
  /** Reports on the site for the next tick. Not journaled: they count for seconds. */
  healthReports: HealthWindow;
  /** As the last tick measured it. */
  pace: Pace;
  /** When admission last ran; 0 before the first time. */
  tickedAt: number;
  standstill: Standstill;
  /** The admission interval: an admission rate is spread over ticks of this length. */
  readonly tickMs: number;
  /** Counts since the last read, for metrics. */
  tally: Tally;
  readonly totals: Totals;
  /** Called with every change that must survive the process. */
  onChange: (change: LineChange) => void;
}

/** The input of the pace measurement. */
export interface Flow {
  /** Sum of the admission times (Unix seconds) of everyone inside; it gives their total time inside. */
  enteredSeconds: number;
  /** Slots that came free since the last tick. */
  freed: number;
  /** Waiting visitors who left or lapsed since the last tick. */
  departed: number;
}

export interface Tally {
  /** Waiting visitors not seen for seenTtlMs. */
  lapsed: number;
  /** Admitted visitors who did not show up within claimTtlMs. */
  noShows: number;
  /** Sessions that expired. */
  ended: number;
  /** Waiting visitors who were passed over because they were quiet. */
  passedOver: number;
  /** Visitors who were away and came back. */
  returned: number;
}

/** Monotonic counters for the lifetime of the store: the difference of two reads is what happened in between. */
export interface Totals {
  /** Admissions from the line. */
  admitted: number;
  noShows: number;
}

export const emptyTally = (): Tally => ({ lapsed: 0, noShows: 0, ended: 0, passedOver: 0, returned: 0 });

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
    scheduled: [],
    nextNumber: 1,
    numberedBy: undefined,
    endedActivations: [],
    exchanged: new NumberSet(),
    places: new Map(),
    waiting: new WaitingOrder(),
    priority: new WaitingOrder(),
    away: new Map(),
    returnedAt: 0,
    presentFrom: 0,
    credit: 0,
    lobby: new WaitingOrder(),
    nextArrival: 1,
    draw: undefined,
    admitted: new Set(),
    active: new Set(),
    silences: new DeadlineHeap(),
    endings: new DeadlineHeap(),
    bucket: { tokens: Number.POSITIVE_INFINITY, refilledAt: 0, returned: 0 },
    history: new AdmissionHistory(),
    flow: { enteredSeconds: 0, freed: 0, departed: 0 },
    stock: undefined,
    health: undefined,
    healthReports: noReports,
    pace: unmeasured,
    tickedAt: 0,
    standstill: { stoppedAt: 0, resumedAt: 0, graceUntil: 0 },
    tickMs,
    tally: emptyTally(),
    totals: { admitted: 0, noShows: 0 },
    onChange: () => {},
  };
}

/** In line, away or in the lobby. */
export function countWaiting(line: Line): number {
  return countInLine(line) + line.away.size + line.lobby.size;
}

/** In either lane, and so ahead of those who join now. */
export function countInLine({ waiting, priority }: Line): number {
  return waiting.size + priority.size;
}

/** The waiting order of a lane. */
export function orderOf(line: Line, lane: Lane): WaitingOrder<Place> {
  return lane === 'priority' ? line.priority : line.waiting;
}

/** The position of a waiting visitor if the lanes do not change; 1 is next. */
export function positionOf(line: Line, { lane, number }: Pick<Place, 'lane' | 'number'>): number {
  return positionAt(line, lane, orderOf(line, lane).rankOf(number), number);
}

/** The same for a visitor with `number` at `rank` of their own lane. */
export function positionAt(line: Line, lane: Lane, rank: number, number: number): number {
  // While a draw assigns numbers, visitors still in the lobby are ahead of those who came later.
  const position = rank + line.lobby.size;
  const other = orderOf(line, lane === 'priority' ? 'ordinary' : 'priority');
  const share = line.settings.priorityShare;
  if (other.size === 0) return position;
  if (share === 0) return position + other.rankOf(number) - 1;
  return position + Math.min(other.size, countGoingBefore(lane, rank, line.credit, share));
}

/** Admitted + active, bounded by maxActive. */
export function countInside(line: Line): number {
  return line.admitted.size + line.active.size;
}

export function tokenIdOf(line: Line, place: Place): string {
  return `${line.epoch}.${place.number}`;
}

/**
 * The id of a place that began in the lobby; it stays valid once the place has a number. Identifies, of all places that
 * the visitor has had, the one that began at that time.
 */
export function lobbyIdOf({ epoch }: Pick<Line, 'epoch'>, { joinedAt }: { joinedAt: number }): string {
  return `${epoch}.@${joinedAt}`;
}

/** In the lobby, or with a drawn number. */
export function isFromLobby({ draw }: Line, { state, number }: Place): boolean {
  return state === 'lobby' || (draw !== undefined && isDrawnNumber(draw, number));
}

/** Whether `id` identifies the place: its token id or, for a place that began in the lobby, its lobby id. */
export function isPlaceNamed(line: Line, place: Place, id: string): boolean {
  if (isFromLobby(line, place) && id === lobbyIdOf(line, place)) return true;
  return place.state !== 'lobby' && id === tokenIdOf(line, place);
}
