/**
 * The embedded store: the rules over lines in memory, made durable by a journal. An answer leaves only once everything
 * it speaks of is on disk, so what a visitor was told survives `kill -9`.
 */
import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import type { Logger } from 'pino';
import { type Clock, createMonotonicClock } from '../../platform/clock.ts';
import { type Journal, openJournal } from '../../platform/journal.ts';
import { toCommitment, toTicket } from '../draw.ts';
import { DrawRunner } from '../draw-runner.ts';
import { createDrawSecrets } from '../draw-secrets.ts';
import { findDrawProblems } from '../draw-settings.ts';
import { type DrawSecrets, isUntold, TICKET_BYTES } from '../draw-state.ts';
import { type JoinRequest, requestIdOf } from '../join-requests.ts';
import {
  countWaiting,
  createLine,
  emptyTally,
  isFromLobby,
  type Line,
  lobbyIdOf,
  type Place,
  tokenIdOf,
} from '../line.ts';
import type {
  AdmissionLock,
  ClearOutcome,
  Crowd,
  DisconnectOutcome,
  DrawAnnouncement,
  DrawOutcome,
  EnterOutcome,
  JoinOutcome,
  LeaveOutcome,
  LineStore,
  LookOutcome,
  LotFacts,
  Pulse,
  PutRoomOutcome,
  Room,
  Standing,
  SweepOutcome,
  TickOutcome,
} from '../line-store.ts';
import { StoreUnavailableError } from '../line-store.ts';
import { phaseAt, type RoomChange, type RoomSettings, revise, toSettings } from '../room-settings.ts';
import { measure } from '../ruler.ts';
import { disconnect } from '../rules/disconnect.ts';
import { enter } from '../rules/enter.ts';
import { join } from '../rules/join.ts';
import { leave } from '../rules/leave.ts';
import { look } from '../rules/look.ts';
import { clear, configure, keepDraw } from '../rules/operate.ts';
import { findPlace } from '../rules/sessions.ts';
import { stay } from '../rules/stay.ts';
import { sweep } from '../rules/sweep.ts';
import { tick } from '../rules/tick.ts';
import { createMemoryDrawBook } from './memory-draw-book.ts';
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
  /** Where the secrets of draws come from; random if absent. */
  createSecrets?: () => DrawSecrets;
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
    const revision = revise(this.#defaults, before, change);
    if (!revision.ok) return { outcome: 'invalid', problems: revision.problems };
    const problems = this.#findDrawProblems(known, toSettings(this.#defaults, revision.overrides));
    if (problems.length > 0) return { outcome: 'invalid', problems };
    const line = known ?? this.#createRoom(eventId);
    configure(line, this.#defaults, revision.overrides);
    this.#journal.append(toRoomRecord(line));
    keepDraw(line, this.#createSecrets);
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

  async enter(eventId: string, visitor: string, placeId?: string): Promise<EnterOutcome> {
    const open = this.#lines.get(eventId);
    if (open === undefined) return NO_ROOM;
    this.#refuseWhenFaulty();
    const now = this.#clock.now();
    const { outcome, place } = enter(open.line, visitor, now, placeId);
    const answer = { outcome, standing: toStanding(open.line, place), crowd: toCrowd(open, now) } as EnterOutcome;
    await this.#flushed();
    return answer;
  }

  find(eventId: string, visitor: string): Promise<LookOutcome> {
    return this.#read(eventId, visitor, findPlace);
  }

  async leave(eventId: string, visitor: string): Promise<LeaveOutcome> {
    const open = this.#lines.get(eventId);
    if (open === undefined) return NO_ROOM;
    this.#refuseWhenFaulty();
    const result = leave(open.line, visitor, this.#clock.now());
    await this.#flushed();
    return result;
  }

  async disconnect(eventId: string, visitor: string): Promise<DisconnectOutcome> {
    const open = this.#lines.get(eventId);
    if (open === undefined) return NO_ROOM;
    this.#refuseWhenFaulty();
    const result = disconnect(open.line, visitor, this.#clock.now());
    await this.#flushed();
    return result;
  }

  async tick(eventId: string): Promise<TickOutcome> {
    const open = this.#lines.get(eventId);
    if (open === undefined) return NO_ROOM;
    this.#refuseWhenFaulty();
    const { line } = open;
    const now = this.#clock.now();
    const { admitted, more } = tick(line, now);
    const pulse = { at: now, crowd: toCrowd(open, now), ruler: measure(line.waiting, line.lobby.size) };
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

  async draw(eventId: string): Promise<DrawOutcome> {
    if (!this.#lines.has(eventId)) return NO_ROOM;
    this.#refuseWhenFaulty();
    const outcome = await this.#draws.step(eventId);
    await this.#flushed();
    return { outcome };
  }

  async findDraw(eventId: string): Promise<DrawAnnouncement | undefined> {
    const { draw, settings } = this.#lines.get(eventId)?.line ?? {};
    if (draw === undefined || settings?.opensAt === undefined) return undefined;
    const { phase, seed, listHash, count, firstNumber, drawnAt } = draw;
    const announced = { opensAt: settings.opensAt, commitment: toCommitment(seed) };
    if (phase !== 'drawn') return { phase, ...announced };
    return { phase, ...announced, seed, listHash, entries: count, firstNumber, drawnAt };
  }

  async readDrawEntries(eventId: string, from: number, count: number): Promise<Buffer> {
    const entries = this.#lines.get(eventId)?.line.draw?.entries ?? Buffer.alloc(0);
    return entries.subarray(from * TICKET_BYTES, (from + count) * TICKET_BYTES);
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
    const cleared = clear(open.line, this.#createSecrets);
    await this.#flushed();
    return { outcome: 'cleared', ...cleared };
  }

  fault(): string | undefined {
    return this.#journal.fault();
  }

  close(): Promise<void> {
    return this.#journal.close();
  }

  #join(open: OpenLine, visitor: string): JoinOutcome {
    const now = this.#clock.now();
    const result = join(open.line, visitor, now);
    if (result.outcome === 'closed') return result;
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
    if (outcome.outcome !== 'closed') request.doneUntil = request.expiresAt;
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

  #findDrawProblems(line: Line | undefined, after: RoomSettings) {
    const standing = { phase: line?.draw?.phase, waiting: line === undefined ? 0 : countWaiting(line) };
    return findDrawProblems(line?.settings ?? this.#defaults, after, standing);
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

function asUnavailable(error: Error): never {
  throw new StoreUnavailableError(error.message);
}

function toStanding(line: Line, place: Place | undefined): Standing {
  if (place === undefined) return { state: 'absent' };
  const { state, number, joinedAt, admittedAt, expiresAt } = place;
  if (state === 'lobby' || isUntold(line.draw, number)) return { state: 'lobby', joinedAt, ...toLotFacts(line, place) };
  const lot = isFromLobby(line, place) ? toLotFacts(line, place) : {};
  const facts = { number, tokenId: tokenIdOf(line, place), joinedAt, ...lot };
  // While lots are given, all who have none yet stand before whoever came later.
  if (state === 'waiting') return { state, ...facts, position: line.waiting.rankOf(number) + line.lobby.size };
  return { state, ...facts, admittedAt, expiresAt };
}

function toLotFacts(line: Line, place: Place): LotFacts {
  return { ticket: toTicket(line.draw!.ticketKey, place.visitor), lobbyId: lobbyIdOf(line, place) };
}

function isBusy({ places }: Line): boolean {
  return places.size > 0;
}

function toCrowd({ line }: OpenLine, now: number): Crowd {
  return {
    phase: phaseAt(line.settings, now),
    settings: line.settings,
    waiting: countWaiting(line),
    admitted: line.admitted.size,
    active: line.active.size,
    pace: line.pace,
    ...(line.draw === undefined ? {} : { draw: line.draw.phase }),
  };
}
