/**
 * The embedded store: the rules over lines in memory, made durable by a journal. An answer leaves only once everything
 * it speaks of is on disk, so what a visitor was told survives `kill -9`.
 */
import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import type { Logger } from 'pino';
import { type Clock, createMonotonicClock } from '../../platform/clock.ts';
import { type Journal, openJournal } from '../../platform/journal.ts';
import { type JoinRequest, requestIdOf } from '../join-requests.ts';
import { createLine, emptyTally, type Line, type Place, tokenIdOf } from '../line.ts';
import type {
  AdmissionLock,
  ClearOutcome,
  Crowd,
  DisconnectOutcome,
  EnterOutcome,
  HandOverOutcome,
  JoinOutcome,
  JoinWithNumberOutcome,
  LeaveOutcome,
  LineStore,
  LookOutcome,
  Pulse,
  PutRoomOutcome,
  RenameOutcome,
  Room,
  Standing,
  SweepOutcome,
  TickOutcome,
} from '../line-store.ts';
import { StoreUnavailableError } from '../line-store.ts';
import { phaseAt, type RoomChange, type RoomSettings, revise } from '../room-settings.ts';
import { measure } from '../ruler.ts';
import { disconnect } from '../rules/disconnect.ts';
import { enter } from '../rules/enter.ts';
import { noteStock } from '../rules/follow-stock.ts';
import { join, joinWithNumber } from '../rules/join.ts';
import { leave } from '../rules/leave.ts';
import { look } from '../rules/look.ts';
import { handOver, takeBack } from '../rules/numbering.ts';
import { clear, configure } from '../rules/operate.ts';
import { rename } from '../rules/rename.ts';
import { findPlace } from '../rules/sessions.ts';
import { stay } from '../rules/stay.ts';
import { sweep } from '../rules/sweep.ts';
import { tick } from '../rules/tick.ts';
import type { StockReport } from '../stock.ts';
import { type LineRecord, LineReplay, toRecord, toRecords, toRequestRecord, toRoomRecord } from './records.ts';
import type { RequestLog } from './request-log.ts';

export interface MemoryLineStoreOptions {
  /** Where the journal is kept; created if missing. */
  dir: string;
  defaults: RoomSettings;
  /** How often the admitter ticks. */
  tickMs: number;
  clock: Clock;
  log: Logger;
  /** False trusts the operating system to write in time; see the journal. */
  sync?: boolean;
  compactAboveBytes?: number;
}

interface OpenLine {
  line: Line;
  pulse: Pulse | undefined;
  /** False once a tick has found nobody, until somebody joins. */
  isBusy: boolean;
}

const NO_ROOM = { outcome: 'no-room' } as const;
/** There is one process, so it is always its turn. */
const LOCK: AdmissionLock = { release: async () => {} };

export class MemoryLineStore implements LineStore {
  readonly #lines = new Map<string, OpenLine>();
  readonly #clock: Clock;
  readonly #defaults: RoomSettings;
  readonly #tickMs: number;
  #journal!: Journal;
  #requests!: RequestLog;
  #lastFlush: { of: Promise<void>; promise: Promise<void> } | undefined;

  static async open(options: MemoryLineStoreOptions): Promise<MemoryLineStore> {
    const store = new MemoryLineStore(options);
    await store.#recover(options);
    return store;
  }

  private constructor({ clock, defaults, tickMs }: MemoryLineStoreOptions) {
    this.#clock = createMonotonicClock(clock);
    this.#defaults = defaults;
    this.#tickMs = tickMs;
  }

  async putRoom(eventId: string, change: RoomChange): Promise<PutRoomOutcome> {
    this.#refuseWhenFaulty();
    const known = this.#lines.get(eventId)?.line;
    const before = known?.overrides ?? {};
    const revision = revise(this.#defaults, before, change);
    if (!revision.ok) return { outcome: 'invalid', problems: revision.problems };
    const line = known ?? this.#createRoom(eventId);
    configure(line, this.#defaults, revision.overrides);
    this.#journal.append(toRoomRecord(line));
    await this.#flushed();
    return { outcome: known === undefined ? 'created' : 'changed', room: this.#toRoom(eventId)!, before };
  }

  async findRoom(eventId: string): Promise<Room | undefined> {
    return this.#toRoom(eventId);
  }

  async listRooms(): Promise<Room[]> {
    return [...this.#lines.keys()].map((eventId) => this.#toRoom(eventId)!);
  }

  async listActiveEvents(): Promise<string[]> {
    return [...this.#lines].filter(([, { isBusy }]) => isBusy).map(([eventId]) => eventId);
  }

  async tryLockAdmission(): Promise<AdmissionLock> {
    return LOCK;
  }

  async joinWithNumber(eventId: string, visitor: string, number: number): Promise<JoinWithNumberOutcome> {
    const open = this.#lines.get(eventId);
    if (open === undefined) return NO_ROOM;
    this.#refuseWhenFaulty();
    const answer = this.#place(open, (line, now) => joinWithNumber(line, visitor, number, now));
    await this.#flushed();
    return answer;
  }

  async join(eventId: string, visitor: string, request?: JoinRequest): Promise<JoinOutcome> {
    const open = this.#lines.get(eventId);
    if (open === undefined) return NO_ROOM;
    this.#refuseWhenFaulty();
    const answer = request === undefined ? this.#join(open, visitor) : this.#joinOnce(open, visitor, request);
    await this.#flushed();
    return answer;
  }

  look(eventId: string, visitor: string): Promise<LookOutcome> {
    return this.#read(eventId, visitor, look);
  }

  stay(eventId: string, visitor: string): Promise<LookOutcome> {
    return this.#read(eventId, visitor, stay);
  }

  async enter(eventId: string, visitor: string, tokenId?: string): Promise<EnterOutcome> {
    const open = this.#lines.get(eventId);
    if (open === undefined) return NO_ROOM;
    this.#refuseWhenFaulty();
    const now = this.#clock.now();
    const { outcome, place } = enter(open.line, visitor, now, tokenId);
    const answer = { outcome, standing: toStanding(open.line, place), crowd: toCrowd(open, now) } as EnterOutcome;
    await this.#flushed();
    return answer;
  }

  find(eventId: string, visitor: string): Promise<LookOutcome> {
    return this.#read(eventId, visitor, findPlace);
  }

  async leave(eventId: string, visitor: string, tokenId?: string): Promise<LeaveOutcome> {
    return this.#step(eventId, (line, now) => leave(line, visitor, now, tokenId));
  }

  async rename(eventId: string, from: string, to: string): Promise<RenameOutcome> {
    const { outcome } = await this.#step(eventId, (line, now) => rename(line, from, to, now));
    return { outcome };
  }

  async disconnect(eventId: string, visitor: string): Promise<DisconnectOutcome> {
    return this.#step(eventId, (line, now) => disconnect(line, visitor, now));
  }

  async handOverNumbers(eventId: string, activation: string): Promise<HandOverOutcome> {
    const open = this.#lines.get(eventId);
    if (open === undefined) return NO_ROOM;
    this.#refuseWhenFaulty();
    const last = handOver(open.line, activation);
    await this.#flushed();
    return { outcome: 'handed-over', last };
  }

  async takeNumbersBack(eventId: string, activation: string, last: number): Promise<void> {
    const open = this.#lines.get(eventId);
    if (open === undefined) return;
    this.#refuseWhenFaulty();
    takeBack(open.line, activation, last);
    await this.#flushed();
  }

  async putStock(eventId: string, report: StockReport): Promise<void> {
    await this.#step(eventId, (line) => noteStock(line, report));
  }

  async tick(eventId: string): Promise<TickOutcome> {
    const open = this.#lines.get(eventId);
    if (open === undefined) return NO_ROOM;
    this.#refuseWhenFaulty();
    const { line } = open;
    const now = this.#clock.now();
    const { admitted, more } = tick(line, now);
    const pulse = { at: now, crowd: toCrowd(open, now), ruler: measure(line.waiting) };
    open.isBusy = isBusy(line);
    open.pulse = open.isBusy ? pulse : undefined;
    const tally = line.tally;
    line.tally = emptyTally();
    const outcome: TickOutcome = {
      outcome: 'ticked',
      admitted: admitted.map(({ visitor, number }) => ({ visitor, number })),
      tally,
      more,
      pulse,
    };
    await this.#flushed();
    return outcome;
  }

  async findPulse(eventId: string): Promise<Pulse | undefined> {
    return this.#lines.get(eventId)?.pulse;
  }

  async sweep(eventId: string): Promise<SweepOutcome> {
    const open = this.#lines.get(eventId);
    if (open === undefined) return NO_ROOM;
    this.#refuseWhenFaulty();
    const more = sweep(open.line, this.#clock.now());
    await this.#flushed();
    return { outcome: 'swept', more };
  }

  async clear(eventId: string): Promise<ClearOutcome> {
    const open = this.#lines.get(eventId);
    if (open === undefined) return NO_ROOM;
    this.#refuseWhenFaulty();
    const cleared = clear(open.line);
    await this.#flushed();
    return { outcome: 'cleared', ...cleared };
  }

  fault(): string | undefined {
    return this.#journal.fault();
  }

  close(): Promise<void> {
    return this.#journal.close();
  }

  /** One step of a line that is there, told of once it would survive the process. */
  async #step<T>(eventId: string, work: (line: Line, now: number) => T): Promise<T | typeof NO_ROOM> {
    const open = this.#lines.get(eventId);
    if (open === undefined) return NO_ROOM;
    this.#refuseWhenFaulty();
    const result = work(open.line, this.#clock.now());
    await this.#flushed();
    return result;
  }

  #join(open: OpenLine, visitor: string): JoinOutcome {
    return this.#place(open, (line, now) => join(line, visitor, now));
  }

  #place<Refusal>(open: OpenLine, work: (line: Line, now: number) => Placed | Refusal) {
    const now = this.#clock.now();
    const result = work(open.line, now);
    if (!isPlaced(result)) return result;
    open.isBusy = true;
    return { outcome: result.outcome, standing: toStanding(open.line, result.place), crowd: toCrowd(open, now) };
  }

  #joinOnce(open: OpenLine, visitor: string, { key, fingerprint }: JoinRequest): JoinOutcome {
    const now = this.#clock.now();
    const request = this.#requests.note(requestIdOf(visitor, key), fingerprint, now);
    if (request === undefined) return { outcome: 'key-reused' };
    if (request.doneUntil > now) {
      const standing = toStanding(open.line, look(open.line, visitor, now));
      return { outcome: 'duplicate', standing, crowd: toCrowd(open, now) };
    }
    const outcome = this.#join(open, visitor);
    if ('standing' in outcome) request.doneUntil = request.expiresAt;
    this.#journal.append(toRequestRecord(request));
    return outcome;
  }

  async #read(
    eventId: string,
    visitor: string,
    read: (line: Line, visitor: string, now: number) => Place | undefined,
  ): Promise<LookOutcome> {
    const open = this.#lines.get(eventId);
    if (open === undefined) return NO_ROOM;
    const now = this.#clock.now();
    const place = read(open.line, visitor, now);
    const answer = { outcome: 'found', standing: toStanding(open.line, place), crowd: toCrowd(open, now) } as const;
    // While the disk fails nothing new is promised, but whoever waits keeps their page.
    if (!this.#journal.isFlushed() && this.#journal.fault() === undefined) await this.#flushed();
    return answer;
  }

  async #recover(options: MemoryLineStoreOptions): Promise<void> {
    await mkdir(options.dir, { recursive: true, mode: 0o700 });
    const replay = new LineReplay();
    this.#journal = await openJournal({
      ...options,
      replay: (record) => replay.apply(record as LineRecord),
      snapshot: () => this.#toRecords(),
    });
    this.#requests = replay.requests;
    for (const line of replay.finish(this.#defaults, this.#tickMs, this.#clock.now())) this.#add(line);
  }

  #createRoom(eventId: string): Line {
    const epoch = randomBytes(6).toString('base64url');
    const line = createLine({ eventId, epoch, defaults: this.#defaults, overrides: {}, tickMs: this.#tickMs });
    this.#add(line);
    return line;
  }

  #add(line: Line): void {
    line.onChange = (change) => this.#journal.append(toRecord(line.eventId, change));
    this.#lines.set(line.eventId, { line, pulse: undefined, isBusy: isBusy(line) });
  }

  *#toRecords(): Generator<LineRecord> {
    for (const { line } of this.#lines.values()) yield* toRecords(line);
    for (const request of this.#requests.list()) yield toRequestRecord(request);
  }

  #toRoom(eventId: string): Room | undefined {
    const open = this.#lines.get(eventId);
    if (open === undefined) return undefined;
    const { epoch, overrides } = open.line;
    return { eventId, epoch, overrides, crowd: toCrowd(open, this.#clock.now()) };
  }

  #refuseWhenFaulty(): void {
    const fault = this.#journal.fault();
    if (fault !== undefined) throw new StoreUnavailableError(fault);
  }

  /** One promise per frame, shared by everyone who waits for it: a crowd joins many times per frame. */
  #flushed(): Promise<void> {
    const flushed = this.#journal.flushed();
    if (flushed !== this.#lastFlush?.of) {
      this.#lastFlush = { of: flushed, promise: flushed.catch(asUnavailable) };
    }
    return this.#lastFlush.promise;
  }
}

interface Placed {
  outcome: 'joined' | 'already';
  place: Place;
}

function isPlaced<Refusal>(result: Placed | Refusal): result is Placed {
  return (result as Partial<Placed>).place !== undefined;
}

function asUnavailable(error: Error): never {
  throw new StoreUnavailableError(error.message);
}

function toStanding(line: Line, place: Place | undefined): Standing {
  if (place === undefined) return { state: 'absent' };
  const { state, number, joinedAt, admittedAt, expiresAt } = place;
  const facts = { number, tokenId: tokenIdOf(line, place), joinedAt };
  if (state === 'waiting') return { state, ...facts, position: line.waiting.rankOf(number) };
  return { state, ...facts, admittedAt, expiresAt };
}

function isBusy({ waiting, admitted, active }: Line): boolean {
  return waiting.size + admitted.size + active.size > 0;
}

function toCrowd({ line }: OpenLine, now: number): Crowd {
  return {
    phase: phaseAt(line.settings, now),
    settings: line.settings,
    waiting: line.waiting.size,
    admitted: line.admitted.size,
    active: line.active.size,
    pace: line.pace,
    stock: line.stock && { slots: line.stock.slots, isSoldOut: line.stock.isSoldOut },
  };
}
