/** The journal records of the memory store, and how they are replayed. */
import type { Draw } from '../../model/draw-state.ts';
import type { Lane } from '../../model/lanes.ts';
import { createLine, type Line, type LineChange, orderOf, type Place } from '../../model/line.ts';
import type { RoomOverrides, RoomSettings } from '../../model/room-settings.ts';
import type { ScheduledChange } from '../../model/scheduled-change.ts';
import type { SiteHealth } from '../../model/site-health.ts';
import type { Stock } from '../../model/stock.ts';
import { expectedQuietMs } from '../../rules/away.ts';
import { isWaiter, sessionEnd } from '../../rules/sessions.ts';
import {
  applyDraw,
  applyPresent,
  type DrawRecord,
  type PresentRecord,
  restoreDraw,
  toDrawRecord,
  toDrawRecords,
  toPresentRecord,
} from './draw-records.ts';
import { type KnownRequest, RequestLog } from './request-log.ts';

type PlaceRecord = [
  kind: 'place',
  eventId: string,
  number: number,
  visitor: string,
  state: Place['state'],
  joinedAt: number,
  admittedAt: number,
  activeAt: number,
  expiresAt: number,
  /** Absent for the ordinary lane. */
  lane?: Lane,
];

/** The numbers drawn for the arrivals after `from`; 0 for visitors who do not take part. */
type NumbersRecord = [kind: 'numbers-given', eventId: string, from: number, numbers: readonly number[]];
type StockRecord = [kind: 'stock', eventId: string, slots: number, isSoldOut: boolean, asOf: number];

type ScheduledRecord = [kind: 'scheduled', eventId: string, scheduled: readonly ScheduledChange[]];

type CreditRecord = [kind: 'credit', eventId: string, credit: number];

/** Whether the place with this number is away: 1 or 0. */
type AwayRecord = [kind: 'away', eventId: string, number: number, isAway: 0 | 1];

type HealthRecord = [kind: 'health', eventId: string, health: SiteHealth | null];

type RequestRecord = [kind: 'request', id: string, fingerprint: string, expiresAt: number, doneUntil: number];

export type LineRecord =
  | [kind: 'room', eventId: string, epoch: string, nextNumber: number, overrides: RoomOverrides]
  | PlaceRecord
  | [kind: 'gone', eventId: string, number: number]
  | AwayRecord
  | [kind: 'gone-from-lobby', eventId: string, arrival: number]
  | [kind: 'cleared', eventId: string, below: number, arrivedBelow?: number]
  | DrawRecord
  | PresentRecord
  | NumbersRecord
  | [kind: 'numbered', eventId: string, by: string | null, nextNumber: number]
  | [kind: 'exchanged', eventId: string, numbers: number[]]
  | StockRecord
  | HealthRecord
  | CreditRecord
  | ScheduledRecord
  | RequestRecord;

export function toRoomRecord({ eventId, epoch, nextNumber, overrides }: Line): LineRecord {
  return ['room', eventId, epoch, nextNumber, overrides];
}

export function toRequestRecord({ id, fingerprint, expiresAt, doneUntil }: KnownRequest): LineRecord {
  return ['request', id, fingerprint, expiresAt, doneUntil];
}

/** Encodes the changes of a line as JSON records. */
export function createChangeEncoder(eventId: string): (change: LineChange) => string {
  const start = `["place",${JSON.stringify(eventId)},`;
  return (change) =>
    change.kind === 'put' ? encodePlace(start, change.place) : JSON.stringify(toRecord(eventId, change));
}

/** Concatenated by hand, because every join writes one: a third of the time of JSON.stringify. */
function encodePlace(start: string, place: Place): string {
  const { number, visitor, state, joinedAt, admittedAt, activeAt, expiresAt, lane } = place;
  const last = lane === 'priority' ? ',"priority"]' : ']';
  const times = `${joinedAt},${admittedAt},${activeAt},${expiresAt}`;
  return `${start}${number},${JSON.stringify(visitor)},"${state}",${times}${last}`;
}

function toRecord(eventId: string, change: Exclude<LineChange, { kind: 'put' }>): LineRecord {
  switch (change.kind) {
    case 'gone':
      return ['gone', eventId, change.number];
    case 'away':
      return ['away', eventId, change.number, change.isAway ? 1 : 0];
    case 'cleared':
      return ['cleared', eventId, change.below, change.arrivedBelow];
    case 'gone-from-lobby':
      return ['gone-from-lobby', eventId, change.arrival];
    case 'draw':
      return toDrawRecord(eventId, change.draw);
    case 'gathered':
      return toPresentRecord(eventId, change.draw, change.from, change.draw.gatheredTo);
    case 'numbers-given':
      return ['numbers-given', eventId, change.from, change.numbers];
    case 'numbered':
      return ['numbered', eventId, change.by ?? null, change.nextNumber];
    case 'exchanged':
      return ['exchanged', eventId, [change.number]];
    case 'stock':
      return toStockRecord(eventId, change.stock);
    case 'health':
      return ['health', eventId, change.health ?? null];
    case 'credit':
      return ['credit', eventId, change.credit];
    case 'scheduled':
      return ['scheduled', eventId, change.scheduled];
  }
}

/** A whole line, for a snapshot. It may change while it is being read; the journal explains why that is harmless. */
export function* toRecords(line: Line): Generator<LineRecord> {
  yield toRoomRecord(line);
  yield ['numbered', line.eventId, line.numberedBy ?? null, line.nextNumber];
  for (const numbers of line.exchanged.chunks()) yield ['exchanged', line.eventId, numbers];
  if (line.stock !== undefined) yield toStockRecord(line.eventId, line.stock);
  if (line.health !== undefined) yield ['health', line.eventId, line.health];
  if (line.scheduled.length > 0) yield ['scheduled', line.eventId, line.scheduled];
  if (line.credit > 0) yield ['credit', line.eventId, line.credit];
  if (line.draw !== undefined) yield* toDrawRecords(line.eventId, line.draw);
  for (const place of line.places.values()) yield toPlaceRecord(line.eventId, place);
  for (const number of line.away.keys()) yield ['away', line.eventId, number, 1];
}

function toStockRecord(eventId: string, { slots, isSoldOut, asOf }: Stock): StockRecord {
  return ['stock', eventId, slots, isSoldOut, asOf];
}

function toPlaceRecord(eventId: string, place: Place): PlaceRecord {
  const { number, visitor, state, joinedAt, admittedAt, activeAt, expiresAt, lane } = place;
  const record: PlaceRecord = ['place', eventId, number, visitor, state, joinedAt, admittedAt, activeAt, expiresAt];
  if (lane === 'priority') record.push(lane);
  return record;
}

interface RoomReplay {
  epoch: string;
  nextNumber: number;
  numberedBy: string | undefined;
  exchanged: number[];
  stock: Stock | undefined;
  health: SiteHealth | undefined;
  credit: number;
  overrides: RoomOverrides;
  scheduled: readonly ScheduledChange[];
  places: Map<number, PlaceRecord>;
  away: Set<number>;
  /** By arrival. */
  lobby: Map<number, PlaceRecord>;
  draw: Draw | undefined;
}

/** Applies records in the order they were written. Places are keyed by number: a visitor may join several times. */
export class LineReplay {
  readonly requests = new RequestLog();
  readonly #rooms = new Map<string, RoomReplay>();

  apply(record: LineRecord): void {
    switch (record[0]) {
      case 'room':
        this.#applyRoom(record);
        break;
      case 'place':
        this.#applyPlace(record);
        break;
      case 'gone':
        this.#roomOf(record).places.delete(record[2]);
        this.#roomOf(record).away.delete(record[2]);
        break;
      case 'away':
        this.#applyAway(record);
        break;
      case 'cleared':
        forgetBelow(this.#roomOf(record).places, record[2]);
        forgetBelow(this.#roomOf(record).lobby, record[3] ?? 0);
        break;
      case 'gone-from-lobby':
        this.#roomOf(record).lobby.delete(record[2]);
        break;
      case 'draw':
        applyDraw(this.#roomOf(record), record[2]);
        break;
      case 'present':
        applyPresent(this.#roomOf(record), record);
        break;
      case 'numbers-given':
        this.#applyNumbers(record);
        break;
      case 'numbered':
        this.#applyNumbered(record);
        break;
      case 'exchanged':
        this.#roomOf(record).exchanged.push(...record[2]);
        break;
      case 'stock':
        this.#applyStock(record);
        break;
      case 'health':
        this.#roomOf(record).health = record[2] === null ? undefined : { ...record[2], cause: record[2].cause };
        break;
      case 'credit':
        this.#roomOf(record).credit = record[2];
        break;
      case 'scheduled':
        this.#roomOf(record).scheduled = record[2];
        break;
      case 'request':
        this.#applyRequest(record);
        break;
    }
  }

  #roomOf([kind, eventId]: LineRecord): RoomReplay {
    const room = this.#rooms.get(eventId);
    if (room === undefined) throw new Error(`journal: ${kind} record for the unknown room ${eventId}`);
    return room;
  }

  #applyRequest([, id, fingerprint, expiresAt, doneUntil]: RequestRecord): void {
    this.requests.restore({ id, fingerprint, expiresAt, doneUntil });
  }

  #applyPlace(record: PlaceRecord): void {
    const room = this.#roomOf(record);
    const number = record[2];
    if (record[4] === 'lobby') {
      room.lobby.set(number, record);
      return;
    }
    room.places.set(number, record);
    room.nextNumber = Math.max(room.nextNumber, number + 1);
  }

  /** A visitor not in the lobby has left, or is already in line: a record may be applied twice. */
  #applyNumbers(change: NumbersRecord): void {
    const { lobby, places } = this.#roomOf(change);
    const [, , from, numbers] = change;
    for (const [index, number] of numbers.entries()) {
      const record = lobby.get(from + 1 + index);
      if (number === 0 || record === undefined) continue;
      lobby.delete(from + 1 + index);
      record[2] = number;
      record[4] = 'waiting';
      places.set(number, record);
    }
  }

  #applyAway(record: AwayRecord): void {
    const { away } = this.#roomOf(record);
    if (record[3] === 1) away.add(record[2]);
    else away.delete(record[2]);
  }

  #applyStock(record: StockRecord): void {
    const [, , slots, isSoldOut, asOf] = record;
    this.#roomOf(record).stock = { slots, isSoldOut, asOf };
  }

  #applyNumbered(record: Extract<LineRecord, [kind: 'numbered', ...unknown[]]>): void {
    const room = this.#roomOf(record);
    room.numberedBy = record[2] ?? undefined;
    room.nextNumber = Math.max(room.nextNumber, record[3]);
  }

  #applyRoom([, eventId, epoch, nextNumber, overrides]: Extract<LineRecord, [kind: 'room', ...unknown[]]>): void {
    const known = this.#rooms.get(eventId);
    this.#rooms.set(eventId, {
      numberedBy: known?.numberedBy,
      exchanged: known?.exchanged ?? [],
      stock: known?.stock,
      health: known?.health,
      credit: known?.credit ?? 0,
      places: known?.places ?? new Map(),
      away: known?.away ?? new Set(),
      lobby: known?.lobby ?? new Map(),
      draw: known?.draw,
      scheduled: known?.scheduled ?? [],
      epoch,
      overrides,
      nextNumber: Math.max(known?.nextNumber ?? 1, nextNumber),
    });
  }

  /** The replayed lines, as of `now`. */
  *finish(defaults: RoomSettings, tickMs: number, now: number): Generator<Line> {
    for (const [eventId, room] of this.#rooms) {
      const { epoch, nextNumber, numberedBy, exchanged, stock, health, credit, overrides, places, away, lobby, draw } =
        room;
      const line = createLine({ eventId, epoch, defaults, overrides, tickMs });
      line.scheduled = room.scheduled;
      line.nextNumber = nextNumber;
      line.numberedBy = numberedBy;
      line.stock = stock;
      line.health = health;
      line.credit = credit;
      for (const number of exchanged) line.exchanged.add(number);
      line.bucket.tokens = 0;
      line.bucket.refilledAt = now;
      restoreDraw(line, draw);
      for (const record of [...places.values(), ...lobby.values()]) {
        restorePlace(line, record, { now, isAway: away.has(record[2]) && record[4] === 'waiting' });
      }
      // Once all are there: it depends on the position.
      for (const place of line.places.values()) if (isWaiter(place)) place.quietMs = expectedQuietMs(line, place);
      yield line;
    }
  }
}

function forgetBelow(places: Map<number, PlaceRecord>, bound: number): void {
  for (const number of places.keys()) if (number < bound) places.delete(number);
}

/**
 * Signs of life are not journaled, and there were none while the store was down. So every visitor counts as seen now, and
 * claims and sessions get their full time again, within the session's cap: a restart costs no visitor anything.
 */
function restorePlace(line: Line, record: PlaceRecord, { now, isAway }: { now: number; isAway: boolean }): void {
  const [, , number, visitor, state, joinedAt, admittedAt, activeAt, expiresAt, lane = 'ordinary'] = record;
  const waiting = { seenAt: now, quietMs: 0, isDisconnected: false, isAway };
  // Whether they were told is not journaled: those who were get their full time again anyway.
  const inside = { admittedAt, activeAt, isTold: false, expiresAt };
  const place: Place = { visitor, number, state, lane, joinedAt, ...waiting, ...inside };
  line.places.set(visitor, place);
  if (state === 'waiting' || state === 'lobby') {
    if (isAway) line.away.set(number, place);
    else (state === 'lobby' ? line.lobby : orderOf(line, lane)).insert(number, place);
    if (state === 'lobby') line.nextArrival = Math.max(line.nextArrival, number + 1);
    line.silences.push(now + line.settings.seenTtlMs, place);
    return;
  }
  line[state].add(place);
  line.flow.enteredSeconds += Math.floor(admittedAt / 1000);
  const renewed = state === 'admitted' ? now + line.settings.claimTtlMs : sessionEnd(line, place, now);
  place.expiresAt = Math.max(expiresAt, renewed);
  line.endings.push(place.expiresAt, place);
}
