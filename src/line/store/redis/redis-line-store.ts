/**
 * The shared store: lines in Redis or a Redis Cluster, for any number of processes. Each verb is one script, a
 * translation of the rules in src/line/rules; this class combines them with the index of events and the batcher.
 */
import type { Logger } from 'pino';
import { RecentMap } from '../../../platform/collections/recent-map.ts';
import { checkServer } from '../../../platform/redis/check-server.ts';
import { awaitReady, closeClient, logFaults } from '../../../platform/redis/connection.ts';
import { Liveness } from '../../../platform/redis/liveness.ts';
import { preloadScripts, type RedisClient } from '../../../platform/redis/scripts.ts';
import { StoreUnavailableError } from '../../../platform/store-unavailable-error.ts';
import { DrawRunner } from '../../draw/draw-runner.ts';
import { createDrawSecrets } from '../../draw/draw-secrets.ts';
import { changesOrder, findDrawProblems } from '../../draw/draw-settings.ts';
import type { Pulse } from '../../estimate/pulse.ts';
import type { DrawSecrets } from '../../model/draw-state.ts';
import { type JoinRequest, requestIdOf } from '../../model/join-requests.ts';
import { type RoomChange, type RoomSettings, revise, toSettings } from '../../model/room-settings.ts';
import type { ScheduledChange } from '../../model/scheduled-change.ts';
import type { HealthReport } from '../../model/site-health.ts';
import type { StockReport } from '../../model/stock.ts';
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
import { AdmissionLocks } from './admission-lock.ts';
import { EventIndex } from './event-index.ts';
import { hasPlace, mayHaveBeenIdle } from './idle-visits.ts';
import { createRedisDrawBook, findDraw, readDrawEntries } from './redis-draws.ts';
import { type Judged, RedisSchedules } from './redis-schedules.ts';
import { RequestKeys } from './request-keys.ts';
import { clear } from './scripts/clear.ts';
import { disconnect } from './scripts/disconnect.ts';
import { findRoomView } from './scripts/find-room.ts';
import { handOver } from './scripts/hand-over.ts';
import { joinWithNumber } from './scripts/join-with-number.ts';
import { pulseKey } from './scripts/keys.ts';
import { leave } from './scripts/leave.ts';
import { putHealth } from './scripts/put-health.ts';
import { putRoom } from './scripts/put-room.ts';
import { putStock } from './scripts/put-stock.ts';
import { rename } from './scripts/rename.ts';
import type { RoomView } from './scripts/room-view.ts';
import { ScriptCaller } from './scripts/script-caller.ts';
import { sweep } from './scripts/sweep.ts';
import { takeBack } from './scripts/take-back.ts';
import { PulseParser, tick } from './scripts/tick.ts';
import { TickFence } from './scripts/tick-fence.ts';
import { type JoinVisit, type Visit, VisitBatcher, type VisitOutcome, visit } from './scripts/visit.ts';

export interface RedisLineStoreOptions {
  /** Closed with the store. */
  client: RedisClient;
  defaults: RoomSettings;
  /** How often the admitter ticks. */
  tickMs: number;
  log: Logger;
  /** The clock; that of the Redis server if absent, so that all processes use the same one. */
  now?: () => number;
  /** How many replicas must have a join or an entry before it is confirmed; none if absent. */
  waitReplicas?: number;
  /** Creates the secrets of draws; random if absent. */
  createSecrets?: () => DrawSecrets;
  /** How long to wait for Redis when the store is opened. */
  readyWithinMs?: number;
}

const MOST_ATTEMPTS = 20;
/** How often this process repeats the mark of an event that should already be marked as active. */
const MARK_EVERY_MS = 1_000;
const MARKS_REMEMBERED = 10_000;

export class RedisLineStore implements LineStore {
  readonly #client: RedisClient;
  readonly #liveness: Liveness;
  readonly #locks: AdmissionLocks;
  readonly #caller: ScriptCaller;
  readonly #index: EventIndex;
  readonly #markedAt = new RecentMap<number>(MARKS_REMEMBERED);
  readonly #createSecrets: () => DrawSecrets;
  readonly #draws: DrawRunner;
  readonly #requestKeys: RequestKeys;
  readonly #schedules: RedisSchedules;
  readonly #pulses: PulseParser;
  readonly #batcher = new VisitBatcher((eventId, visits) => this.#visit(eventId, visits));

  static async open(options: RedisLineStoreOptions): Promise<RedisLineStore> {
    const { client, log } = options;
    const store = RedisLineStore.create(options);
    try {
      await awaitReady(client, options.readyWithinMs);
      await checkServer(client, log);
      await preloadScripts(client);
      return store;
    } catch (error) {
      await store.close();
      throw error;
    }
  }

  /** Does not wait for Redis: until it is there, calls fail. */
  static create(options: RedisLineStoreOptions): RedisLineStore {
    logFaults(options.client, options.log);
    return new RedisLineStore(options);
  }

  private constructor(options: RedisLineStoreOptions) {
    this.#client = options.client;
    this.#liveness = new Liveness(options.client);
    this.#locks = new AdmissionLocks(options.client, options.tickMs);
    const fence = new TickFence(options.log);
    this.#caller = new ScriptCaller({ ...options, liveness: this.#liveness, fence });
    this.#index = new EventIndex(options.client);
    this.#createSecrets = options.createSecrets ?? createDrawSecrets;
    this.#draws = new DrawRunner(createRedisDrawBook(options.client, this.#caller));
    this.#requestKeys = new RequestKeys(options);
    this.#pulses = new PulseParser(options.defaults);
    this.#schedules = new RedisSchedules({
      ...{ client: options.client, now: options.now },
      guard: (command, key) => this.#caller.guard(command, key),
      judge: (eventId, version, change) => this.#judge(eventId, version, change),
    });
  }

  async putRoom(eventId: string, change: RoomChange): Promise<PutRoomOutcome> {
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
      const known = await this.#after(eventId, () => findRoomView(this.#caller, eventId));
      const before = known?.overrides ?? {};
      const revision = revise(this.#caller.defaults, before, change);
      if (!revision.ok) return { outcome: 'invalid', problems: revision.problems };
      const { overrides } = revision;
      const draw = this.#judgeDraw(known, toSettings(this.#caller.defaults, overrides));
      if (draw.problems.length > 0) return { outcome: 'invalid', problems: draw.problems };
      await this.#caller.guard(() => this.#index.addRoom(eventId));
      const secrets = this.#createSecrets();
      const version = known?.version ?? 0;
      const put = await putRoom(this.#caller, { eventId, version, overrides, secrets, ...draw.arguments });
      if (put.outcome === 'conflict') continue;
      await this.#caller.guard(() => this.#index.noteChange());
      return { outcome: known === undefined ? 'created' : 'changed', room: toRoom(eventId, put.view), before };
    }
    throw new StoreUnavailableError(
      `room ${eventId}: ${MOST_ATTEMPTS} attempts to change it failed because others changed it; retry`,
    );
  }

  listScheduledEvents(): Promise<string[]> {
    return this.#caller.guard(() => this.#index.listRooms());
  }

  schedule(eventId: string, change: ScheduledChange): Promise<ScheduleOutcome> {
    return this.#schedules.schedule(eventId, change);
  }

  listScheduled(eventId: string): Promise<ScheduledChange[]> {
    return this.#schedules.list(eventId);
  }

  cancelScheduled(eventId: string, id: string): Promise<ScheduledChange | undefined> {
    return this.#schedules.cancel(eventId, id);
  }

  applyDue(eventId: string): Promise<ApplyOutcome> {
    return this.#schedules.applyDue(eventId);
  }

  async findRoom(eventId: string): Promise<Room | undefined> {
    const view = await this.#after(eventId, () => findRoomView(this.#caller, eventId));
    return view === undefined ? undefined : toRoom(eventId, view);
  }

  async listRooms(): Promise<Room[]> {
    const eventIds = await this.#caller.guard(() => this.#index.listRooms());
    const rooms = await Promise.all(eventIds.map((eventId) => this.findRoom(eventId)));
    return rooms.filter((room) => room !== undefined);
  }

  countChanges(): Promise<number> {
    return this.#caller.guard(() => this.#index.countChanges());
  }

  listActiveEvents(): Promise<string[]> {
    return this.#caller.guard(() => this.#index.listActive());
  }

  join(eventId: string, visitor: string, { request, priority }: JoinOptions = {}): Promise<JoinOutcome> {
    const verb = priority ? 'join-priority' : 'join';
    if (request !== undefined) return this.#joinOnce(eventId, { verb, visitor }, request);
    return this.#batcher.add(eventId, { verb, visitor }) as Promise<JoinOutcome>;
  }

  async joinWithNumber(
    eventId: string,
    visitor: string,
    number: number,
    { priority = false }: LaneOptions = {},
  ): Promise<JoinWithNumberOutcome> {
    const come = { eventId, visitor, number, priority };
    const outcome = await this.#after(eventId, () => joinWithNumber(this.#caller, come));
    if ('standing' in outcome) await this.#caller.guard(() => this.#index.markActive(eventId));
    return outcome;
  }

  look(eventId: string, visitor: string, { isSign }: AskOptions = {}): Promise<LookOutcome> {
    return this.#batcher.add(eventId, { verb: isSign ? 'sign' : 'look', visitor }) as Promise<LookOutcome>;
  }

  stay(eventId: string, visitor: string, tokenId?: string, { isSign }: AskOptions = {}): Promise<LookOutcome> {
    if (isSign) return this.look(eventId, visitor, { isSign });
    return this.#batcher.add(eventId, { verb: 'stay', visitor, tokenId }) as Promise<LookOutcome>;
  }

  enter(eventId: string, visitor: string, placeId?: string): Promise<EnterOutcome> {
    return this.#batcher.add(eventId, { verb: 'enter', visitor, placeId }) as Promise<EnterOutcome>;
  }

  find(eventId: string, visitor: string): Promise<LookOutcome> {
    return this.#batcher.add(eventId, { verb: 'find', visitor }) as Promise<LookOutcome>;
  }

  leave(eventId: string, visitor: string, tokenId?: string): Promise<LeaveOutcome> {
    return this.#after(eventId, () => leave(this.#caller, { eventId, visitor, tokenId }));
  }

  rename(eventId: string, from: string, to: string): Promise<RenameOutcome> {
    return this.#after(eventId, () => rename(this.#caller, { eventId, from, to }));
  }

  disconnect(eventId: string, visitor: string): Promise<DisconnectOutcome> {
    return this.#after(eventId, () => disconnect(this.#caller, eventId, visitor));
  }

  handOverNumbers(eventId: string, activation: string): Promise<HandOverOutcome> {
    return this.#after(eventId, () => handOver(this.#caller, eventId, activation));
  }

  takeNumbersBack(eventId: string, activation: string, last: number): Promise<void> {
    return this.#after(eventId, () => takeBack(this.#caller, { eventId, activation, last }));
  }

  putStock(eventId: string, report: StockReport): Promise<void> {
    return this.#after(eventId, () => putStock(this.#caller, eventId, report));
  }

  putHealth(eventId: string, report: HealthReport): Promise<void> {
    return this.#after(eventId, () => putHealth(this.#caller, eventId, report));
  }

  async tick(eventId: string, lock?: AdmissionLock): Promise<TickOutcome> {
    this.#draws.forgetUnused();
    const outcome = await this.#after(eventId, () => tick(this.#caller, eventId, lock?.lease));
    if (outcome.outcome === 'ticked' && isIdle(outcome.pulse.crowd)) await this.#retire(eventId);
    return outcome;
  }

  async findPulse(eventId: string): Promise<Pulse | undefined> {
    const lastTick = this.#caller.fence.lastTick(eventId);
    const key = pulseKey(eventId);
    const json = await this.#caller.guard(() => this.#client.get(key), key);
    if (json === null) return undefined;
    const pulse = this.#pulses.parse(eventId, json);
    this.#caller.requireCurrent(eventId, lastTick, { tickedAt: pulse.at });
    return pulse;
  }

  async draw(eventId: string): Promise<DrawOutcome> {
    const outcome = await this.#after(eventId, () => this.#draws.step(eventId));
    if (outcome !== 'nothing') return { outcome };
    const room = await findRoomView(this.#caller, eventId);
    return { outcome: room === undefined ? 'no-room' : outcome };
  }

  findDraw(eventId: string): Promise<DrawAnnouncement | undefined> {
    return this.#caller.guard(() => findDraw(this.#client, eventId));
  }

  readDrawEntries(eventId: string, from: number, count: number): Promise<Buffer> {
    return this.#caller.guard(() => readDrawEntries(this.#client, eventId, from, count));
  }

  sweep(eventId: string): Promise<SweepOutcome> {
    return this.#after(eventId, () => sweep(this.#caller, eventId));
  }

  clear(eventId: string): Promise<ClearOutcome> {
    return this.#after(eventId, () => clear(this.#caller, eventId, this.#createSecrets()));
  }

  tryLockAdmission(eventId: string): Promise<AdmissionLock | undefined> {
    return this.#caller.guard(() => this.#locks.tryLock(eventId));
  }

  fault(): string | undefined {
    return this.#liveness.fault();
  }

  close(): Promise<void> {
    this.#liveness.stop();
    return closeClient(this.#client);
  }

  /** Keeps the order of calls: pending visits are sent before `command`. */
  #after<T>(eventId: string, command: () => Promise<T>): Promise<T> {
    this.#batcher.flush(eventId);
    return command();
  }

  /** Whether the draw allows the change, and what the script must check again when it makes it. */
  #judgeDraw(known: RoomView | undefined, after: RoomSettings) {
    const before = known?.crowd.settings ?? this.#caller.defaults;
    const drawPhase = known?.draw?.phase;
    const problems = findDrawProblems(before, after, { phase: drawPhase, waiting: known?.crowd.waiting ?? 0 });
    const needsNobody = changesOrder(before, after);
    return { problems, arguments: { drawPhase, needsNobody, hasDraw: after.order === 'draw' } };
  }

  /** For scheduled changes: a change of the room as of a version. */
  async #judge(eventId: string, version: number, change: RoomChange): Promise<Judged | undefined> {
    const known = await this.#after(eventId, () => findRoomView(this.#caller, eventId));
    if (known === undefined || known.version !== version) return undefined;
    const revision = revise(this.#caller.defaults, known.overrides, change);
    if (!revision.ok) return revision;
    const { overrides } = revision;
    const draw = this.#judgeDraw(known, toSettings(this.#caller.defaults, overrides));
    if (draw.problems.length > 0) return { ok: false, problems: draw.problems };
    const secrets = this.#createSecrets();
    return {
      ok: true,
      put: async (scheduled) => {
        const put = { eventId, version, overrides, secrets, scheduled, ...draw.arguments };
        return (await putRoom(this.#caller, put)).outcome === 'put';
      },
    };
  }

  /** A keyed request joins once, however often it is sent. */
  async #joinOnce(eventId: string, { verb, visitor }: JoinVisit, request: JoinRequest): Promise<JoinOutcome> {
    const id = requestIdOf(visitor, request.key);
    const noted = await this.#caller.guard(() => this.#requestKeys.note(eventId, id, request.fingerprint));
    if (noted !== 'noted') return { outcome: noted };
    const attempt = this.#caller.nameAttempt();
    return this.#batcher.add(eventId, { verb, visitor, request: { id, attempt } }) as Promise<JoinOutcome>;
  }

  async #visit(eventId: string, visits: Visit[]): Promise<VisitOutcome[]> {
    const outcomes = await visit(this.#caller, eventId, visits);
    if (!outcomes.some(hasPlace)) return outcomes;
    // The first visitor of a line marks it as active and waits for that. Later visits repeat the mark now and then, in
    // case a crash prevented it.
    if (mayHaveBeenIdle(outcomes)) await this.#caller.guard(() => this.#index.markActive(eventId));
    else if (this.#isMarkDue(eventId)) this.#caller.guard(() => this.#index.markActive(eventId)).catch(() => {});
    return outcomes;
  }

  #isMarkDue(eventId: string): boolean {
    const now = performance.now();
    if ((this.#markedAt.get(eventId) ?? Number.NEGATIVE_INFINITY) + MARK_EVERY_MS > now) return false;
    this.#markedAt.set(eventId, now);
    return true;
  }

  /** Also removes the pulse, which will be out of date when the next visitor joins. */
  async #retire(eventId: string): Promise<void> {
    const isStillIdle = async () => {
      const view = await findRoomView(this.#caller, eventId);
      return view === undefined || isIdle(view.crowd);
    };
    await this.#caller.guard(() => this.#client.del(pulseKey(eventId)));
    await this.#caller.guard(() => this.#index.retire(eventId, isStillIdle));
  }
}

function toRoom(eventId: string, { epoch, overrides, crowd, totals }: RoomView): Room {
  return { eventId, epoch, overrides, crowd, totals };
}

function isIdle({ waiting, admitted, active }: Room['crowd']): boolean {
  return waiting + admitted + active === 0;
}
