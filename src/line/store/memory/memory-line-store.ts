/**
 * The embedded store: the rules of src/line/rules on a Map, made durable by a journal. A verb resolves once the changes
 * that its outcome reports are on disk, so an outcome survives `kill -9`.
 */
import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { type Clock, createMonotonicClock } from '../../../platform/clock.ts';
import { type Journal, openJournal } from '../../../platform/journal/journal.ts';
import { StoreUnavailableError } from '../../../platform/store-unavailable-error.ts';
import { DrawRunner } from '../../draw/draw-runner.ts';
import { createDrawSecrets } from '../../draw/draw-secrets.ts';
import { findDrawProblems } from '../../draw/draw-settings.ts';
import type { Pulse } from '../../estimate/pulse.ts';
import { type DrawSecrets, LOT_BYTES } from '../../model/draw-state.ts';
import { type JoinRequest, requestIdOf } from '../../model/join-requests.ts';
import { countWaiting, createLine, emptyTally, type Line, type Place } from '../../model/line.ts';
import {
  type Revision,
  type RoomChange,
  type RoomOverrides,
  type RoomSettings,
  revise,
  toSettings,
} from '../../model/room-settings.ts';
import type { ScheduledChange } from '../../model/scheduled-change.ts';
import type { HealthReport } from '../../model/site-health.ts';
import type { StockReport } from '../../model/stock.ts';
import { disconnect } from '../../rules/disconnect.ts';
import { enter } from '../../rules/enter.ts';
import { noteHealth } from '../../rules/follow-health.ts';
import { noteStock } from '../../rules/follow-stock.ts';
import { join, joinWithNumber } from '../../rules/join.ts';
import { leave } from '../../rules/leave.ts';
import { look, sign } from '../../rules/look.ts';
import { handOver, takeBack } from '../../rules/numbering.ts';
import { clear, configure, keepDraw } from '../../rules/operate.ts';
import { rename } from '../../rules/rename.ts';
import { applyDue, cancelScheduled, schedule } from '../../rules/schedule.ts';
import { findPlace } from '../../rules/sessions.ts';
import { stay } from '../../rules/stay.ts';
import { sweep } from '../../rules/sweep.ts';
import { tick } from '../../rules/tick.ts';
import type { AdmissionLock, SweepOutcome, TickOutcome } from '../admissions.ts';
import type { DrawAnnouncement, DrawOutcome } from '../draws.ts';
import type { LineStore } from '../line-store.ts';
import type { HandOverOutcome } from '../numbers.ts';
import type { ClearOutcome, PutRoomOutcome, Room } from '../rooms.ts';
import type { ApplyOutcome, ScheduleOutcome } from '../schedules.ts';
import type {
  AskOptions,
  DisconnectOutcome,
  EnterOutcome,
  JoinOptions,
  JoinOutcome,
  JoinWithNumberOutcome,
  LaneOptions,
  LeaveOutcome,
  LookOutcome,
  RenameOutcome,
} from '../visits.ts';
import {
  createChangeEncoder,
  type LineRecord,
  LineReplay,
  toRecords,
  toRequestRecord,
  toRoomRecord,
} from './journal-records.ts';
import { toAnnouncement, toCrowd, toPulse, toStanding } from './line-view.ts';
import { createMemoryDrawBook } from './memory-draw-book.ts';
import type { MemoryLineStoreOptions } from './memory-line-store-options.ts';
import { asUnavailable, isBusy, type OpenLine, toJoinOutcome } from './open-line.ts';
import type { RequestLog } from './request-log.ts';

const NO_ROOM = { outcome: 'no-room' } as const;
/** A single process needs no lock. */
const LOCK: AdmissionLock = { release: async () => {} };

export class MemoryLineStore implements LineStore {
  readonly tryLockAdmission = async (): Promise<AdmissionLock> => LOCK;
  /** Always another: all rooms are in memory, and reading them costs little. */
  readonly countChanges = async (): Promise<number> => performance.now();
  readonly #lines = new Map<string, OpenLine>();
  readonly #clock: Clock;
  readonly #defaults: RoomSettings;
  readonly #tickMs: number;
  readonly #createSecrets: () => DrawSecrets;
  readonly #draws: DrawRunner;
  #journal!: Journal;
  #requests!: RequestLog;
  #lastFlush: { of: Promise<void>; promise: Promise<void> } | undefined;

  static async open(options: MemoryLineStoreOptions): Promise<MemoryLineStore> {
    const store = new MemoryLineStore(options);
    await store.#recover(options);
    return store;
  }

  private constructor({ clock, defaults, tickMs, createSecrets = createDrawSecrets }: MemoryLineStoreOptions) {
    this.#clock = createMonotonicClock(clock);
    this.#defaults = defaults;
    this.#tickMs = tickMs;
    this.#createSecrets = createSecrets;
    const findLine = (eventId: string) => this.#lines.get(eventId)?.line;
    this.#draws = new DrawRunner(createMemoryDrawBook(findLine, this.#clock));
  }

  async putRoom(eventId: string, change: RoomChange): Promise<PutRoomOutcome> {
    this.#refuseWhenFaulty();
    const known = this.#lines.get(eventId)?.line;
    const before = known?.overrides ?? {};
    const revision = this.#revise(known, change);
    if (!revision.ok) return { outcome: 'invalid', problems: revision.problems };
    this.#configure(known ?? this.#createRoom(eventId), revision.overrides);
    await this.#flushed();
    return { outcome: known === undefined ? 'created' : 'changed', room: this.#toRoom(eventId)!, before };
  }

  async listScheduledEvents(): Promise<string[]> {
    return [...this.#lines].filter(([, { line }]) => line.scheduled.length > 0).map(([eventId]) => eventId);
  }

  async listScheduled(eventId: string): Promise<ScheduledChange[]> {
    return [...(this.#lines.get(eventId)?.line.scheduled ?? [])];
  }

  schedule(eventId: string, change: ScheduledChange): Promise<ScheduleOutcome> {
    return this.#change(eventId, ({ line }) => schedule(line, change, this.#revise(line, change.change)));
  }

  async cancelScheduled(eventId: string, id: string): Promise<ScheduledChange | undefined> {
    const { found } = { found: undefined, ...(await this.#change(eventId, ({ line }) => cancelScheduled(line, id))) };
    return found;
  }

  async applyDue(eventId: string): Promise<ApplyOutcome> {
    if ((await this.listScheduled(eventId)).length === 0) return { outcome: 'nothing' };
    const revision = (line: Line, change: RoomChange) => this.#revise(line, change);
    const outcome = await this.#change(eventId, ({ line }, now) =>
      applyDue(line, now, revision, (overrides) => this.#configure(line, overrides)),
    );
    return outcome.outcome === 'no-room' ? { outcome: 'nothing' } : outcome;
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

  joinWithNumber(
    eventId: string,
    visitor: string,
    number: number,
    { priority }: LaneOptions = {},
  ): Promise<JoinWithNumberOutcome> {
    return this.#change(eventId, (open, now) =>
      toJoinOutcome(open, joinWithNumber(open.line, { visitor, number }, now, priority), now),
    );
  }

  join(eventId: string, visitor: string, { request, priority }: JoinOptions = {}): Promise<JoinOutcome> {
    return this.#change(eventId, (open, now) => {
      if (request !== undefined) return this.#joinOnce(open, visitor, request, now, priority);
      return toJoinOutcome(open, join(open.line, visitor, now, priority), now);
    });
  }

  look(eventId: string, visitor: string, { isSign }: AskOptions = {}): Promise<LookOutcome> {
    return this.#read(eventId, visitor, isSign ? sign : look);
  }

  stay(eventId: string, visitor: string, tokenId?: string, { isSign }: AskOptions = {}): Promise<LookOutcome> {
    return this.#read(eventId, visitor, isSign ? sign : (line, who, now) => stay(line, who, now, tokenId));
  }

  enter(eventId: string, visitor: string, placeId?: string): Promise<EnterOutcome> {
    return this.#change(eventId, ({ line }, now) => {
      const { outcome, place } = enter(line, visitor, now, placeId);
      return { outcome, standing: toStanding(line, place, now), crowd: toCrowd(line, now) } as EnterOutcome;
    });
  }

  find(eventId: string, visitor: string): Promise<LookOutcome> {
    return this.#read(eventId, visitor, findPlace);
  }

  leave(eventId: string, visitor: string, tokenId?: string): Promise<LeaveOutcome> {
    return this.#change(eventId, ({ line }, now) => leave(line, visitor, now, tokenId));
  }

  async rename(eventId: string, from: string, to: string): Promise<RenameOutcome> {
    const { outcome } = await this.#change(eventId, ({ line }, now) => rename(line, from, to, now));
    return { outcome };
  }

  disconnect(eventId: string, visitor: string): Promise<DisconnectOutcome> {
    return this.#change(eventId, ({ line }, now) => disconnect(line, visitor, now));
  }

  handOverNumbers(eventId: string, activation: string): Promise<HandOverOutcome> {
    return this.#change(eventId, ({ line }) => ({ outcome: 'handed-over', last: handOver(line, activation) }));
  }

  async takeNumbersBack(eventId: string, activation: string, last: number): Promise<void> {
    await this.#change(eventId, ({ line }) => takeBack(line, activation, last));
  }

  async putStock(eventId: string, report: StockReport): Promise<void> {
    await this.#change(eventId, ({ line }) => noteStock(line, report));
  }

  async putHealth(eventId: string, report: HealthReport): Promise<void> {
    await this.#change(eventId, ({ line }, now) => noteHealth(line, report, now));
  }

  tick(eventId: string): Promise<TickOutcome> {
    return this.#change(eventId, (open, now) => {
      const { line } = open;
      const { admitted, more } = tick(line, now);
      const pulse = toPulse(line, now);
      open.isBusy = isBusy(line);
      open.pulse = open.isBusy ? pulse : undefined;
      const tally = line.tally;
      line.tally = emptyTally();
      line.totals.admitted += admitted.length;
      line.totals.noShows += tally.noShows;
      const names = admitted.map(({ visitor, number }) => ({ visitor, number }));
      return { outcome: 'ticked', admitted: names, tally, more, pulse };
    });
  }

  async findPulse(eventId: string): Promise<Pulse | undefined> {
    return this.#lines.get(eventId)?.pulse;
  }

  async draw(eventId: string): Promise<DrawOutcome> {
    if (!this.#lines.has(eventId)) return NO_ROOM;
    this.#refuseWhenFaulty();
    const outcome = await this.#draws.step(eventId);
    // A step lost in a crash is repeated with the same result, and only the last one is reported.
    if (outcome !== 'drawing') await this.#flushed();
    return { outcome };
  }

  async findDraw(eventId: string): Promise<DrawAnnouncement | undefined> {
    const line = this.#lines.get(eventId)?.line;
    return line === undefined ? undefined : toAnnouncement(line);
  }

  async readDrawEntries(eventId: string, from: number, count: number): Promise<Buffer> {
    const entries = this.#lines.get(eventId)?.line.draw?.entries ?? Buffer.alloc(0);
    return entries.subarray(from * LOT_BYTES, (from + count) * LOT_BYTES);
  }

  sweep(eventId: string): Promise<SweepOutcome> {
    return this.#change(eventId, ({ line }, now) => ({ outcome: 'swept', more: sweep(line, now) }));
  }

  clear(eventId: string): Promise<ClearOutcome> {
    return this.#change(eventId, ({ line }) => ({ outcome: 'cleared', ...clear(line, this.#createSecrets) }));
  }

  fault(): string | undefined {
    return this.#journal.fault();
  }

  close(): Promise<void> {
    return this.#journal.close();
  }

  /** Changes a line; resolves once the change is on disk. */
  async #change<Answer>(
    eventId: string,
    work: (open: OpenLine, now: number) => Answer,
  ): Promise<Answer | typeof NO_ROOM> {
    const open = this.#lines.get(eventId);
    if (open === undefined) return NO_ROOM;
    this.#refuseWhenFaulty();
    const answer = work(open, this.#clock.now());
    await this.#flushed();
    return answer;
  }

  #joinOnce(
    open: OpenLine,
    visitor: string,
    { key, fingerprint }: JoinRequest,
    now: number,
    priority: boolean | undefined,
  ): JoinOutcome {
    const request = this.#requests.note(requestIdOf(visitor, key), fingerprint, now);
    if (request === undefined) return { outcome: 'key-reused' };
    if (request.doneUntil > now) {
      const standing = toStanding(open.line, look(open.line, visitor, now), now);
      return { outcome: 'duplicate', standing, crowd: toCrowd(open.line, now) };
    }
    const outcome = toJoinOutcome(open, join(open.line, visitor, now, priority), now);
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
    const answer = {
      outcome: 'found',
      standing: toStanding(open.line, place, now),
      crowd: toCrowd(open.line, now),
    } as const;
    // While the disk fails nothing new is promised, but waiters keep their page.
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

  #revise(line: Line | undefined, change: RoomChange): Revision {
    const revision = revise(this.#defaults, line?.overrides ?? {}, change);
    if (!revision.ok) return revision;
    const after = toSettings(this.#defaults, revision.overrides);
    const standing = { phase: line?.draw?.phase, waiting: line === undefined ? 0 : countWaiting(line) };
    const problems = findDrawProblems(line?.settings ?? this.#defaults, after, standing);
    return problems.length > 0 ? { ok: false, problems } : revision;
  }

  #configure(line: Line, overrides: RoomOverrides): void {
    configure(line, this.#defaults, overrides);
    this.#journal.append(toRoomRecord(line));
    keepDraw(line, this.#createSecrets);
  }

  #createRoom(eventId: string): Line {
    const epoch = randomBytes(6).toString('base64url');
    const line = createLine({ eventId, epoch, defaults: this.#defaults, overrides: {}, tickMs: this.#tickMs });
    this.#add(line);
    return line;
  }

  #add(line: Line): void {
    const encodeChange = createChangeEncoder(line.eventId);
    line.onChange = (change) => this.#journal.appendJson(encodeChange(change));
    this.#lines.set(line.eventId, { line, pulse: undefined, isBusy: isBusy(line) });
  }

  *#toRecords(): Generator<LineRecord> {
    for (const { line } of this.#lines.values()) yield* toRecords(line);
    for (const request of this.#requests.list()) yield toRequestRecord(request);
  }

  #toRoom(eventId: string): Room | undefined {
    const open = this.#lines.get(eventId);
    if (open === undefined) return undefined;
    const { epoch, overrides, totals } = open.line;
    return { eventId, epoch, overrides, crowd: toCrowd(open.line, this.#clock.now()), totals: { ...totals } };
  }

  #refuseWhenFaulty(): void {
    const fault = this.#journal.fault();
    if (fault !== undefined) throw new StoreUnavailableError(fault);
  }

  /** One promise per journal frame, shared by its callers: a crowd joins many times per frame. */
  #flushed(): Promise<void> {
    const flushed = this.#journal.flushed();
    if (flushed !== this.#lastFlush?.of) {
      this.#lastFlush = { of: flushed, promise: flushed.catch(asUnavailable) };
    }
    return this.#lastFlush.promise;
  }
}
