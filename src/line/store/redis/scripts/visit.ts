/**
 * Typed twin of visit.lua, and the batcher in front of it: visits that arrive in one turn of the event loop, or while a call
 * of the same event is under way, are sent as one call. One call per visit gets 22 thousand joins a second through a
 * process, batches get 85 thousand.
 */
import { loadScript } from '../../../../platform/redis/scripts.ts';
import { StoreUnavailableError } from '../../../../platform/store-unavailable-error.ts';
import { toLot } from '../../../draw/draw.ts';
import { isDrawnNumber, isUntold } from '../../../model/draw-state.ts';
import { lobbyIdOf } from '../../../model/line.ts';
import type { LotFacts, Standing } from '../../../model/standing.ts';
import type { EnterOutcome, JoinOutcome, LookOutcome, NoRoom } from '../../visits.ts';
import { attemptKey, dedupeKey } from './keys.ts';
import { type KnownViewReply, readView } from './known-views.ts';
import type { RoomView } from './room-view.ts';
import type { ScriptCaller } from './script-caller.ts';

export type Visit =
  | JoinVisit
  | { verb: 'look' | 'sign' | 'find'; visitor: string }
  | { verb: 'stay'; visitor: string; tokenId?: string | undefined }
  | { verb: 'enter'; visitor: string; placeId?: string | undefined };

export interface JoinVisit {
  /** join-priority: joins the priority lane. */
  verb: 'join' | 'join-priority';
  visitor: string;
  request?: VisitRequest | undefined;
}

/** A join whose request has a key. */
export interface VisitRequest {
  id: string;
  /** Names this call, so that the script recognizes it when it is sent again after a lost reply. */
  attempt: string;
}

export type VisitOutcome = JoinOutcome | LookOutcome | EnterOutcome;

export type AnswerReply = [outcome: string, state?: string, number?: number, joinedAt?: number, ...more: number[]];

const VISITS_PER_CALL = 128;
/** The longest that visits wait for the call before them, so that fewer and larger calls are made under load. */
const GATHER_MS = 5;
/** The longest that signs of life wait for other visits; part of CALL_MS in model/presence.ts. */
const SIGNS_GATHER_MS = 200;
/** Beyond this many unanswered visits, Redis is too slow for waiting to help. */
const MOST_UNANSWERED = 50_000;

interface PendingVisit {
  visit: Visit;
  resolve(outcome: VisitOutcome): void;
  reject(error: unknown): void;
}

/** How the batcher waits; timers of the process if absent. */
export interface BatcherTimers {
  atEndOfTurn(work: () => void): void;
  after(ms: number, work: () => void): void;
}

/** The visits of an event that are not answered yet. */
interface EventVisits {
  pending: PendingVisit[];
  /** Whether somebody waits for one of them: nobody does for a sign of life. */
  isUrgent: boolean;
  callsUnderWay: number;
  /** The timers that will send what is pending, by their length in ms. */
  timers: Set<number>;
}

export class VisitBatcher {
  readonly #send: (eventId: string, visits: Visit[]) => Promise<VisitOutcome[]>;
  readonly #timers: BatcherTimers;
  readonly #events = new Map<string, EventVisits>();
  #unanswered = 0;
  #isScheduled = false;

  constructor(
    send: (eventId: string, visits: Visit[]) => Promise<VisitOutcome[]>,
    timers: BatcherTimers = { atEndOfTurn: setImmediate, after: (ms, work) => setTimeout(work, ms) },
  ) {
    this.#send = send;
    this.#timers = timers;
  }

  add(eventId: string, visit: Visit): Promise<VisitOutcome> {
    if (this.#unanswered >= MOST_UNANSWERED) {
      return Promise.reject(new StoreUnavailableError(`${MOST_UNANSWERED} visits are waiting for Redis`));
    }
    this.#unanswered += 1;
    this.#schedule();
    return new Promise((resolve, reject) => {
      const event = this.#eventOf(eventId);
      event.pending.push({ visit, resolve, reject });
      event.isUrgent ||= visit.verb !== 'sign';
      if (event.pending.length === VISITS_PER_CALL) this.flush(eventId);
    });
  }

  /** Sends the pending visits of an event, so that a later command comes after them. */
  flush(eventId: string): void {
    const event = this.#events.get(eventId);
    if (event === undefined || event.pending.length === 0) return;
    const visits = event.pending;
    event.pending = [];
    event.isUrgent = false;
    void this.#deliver(eventId, event, visits);
  }

  #eventOf(eventId: string): EventVisits {
    const known = this.#events.get(eventId);
    if (known !== undefined) return known;
    const event: EventVisits = { pending: [], isUrgent: false, callsUnderWay: 0, timers: new Set() };
    this.#events.set(eventId, event);
    return event;
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#timers.atEndOfTurn(() => {
      this.#isScheduled = false;
      for (const [eventId, event] of this.#events) this.#sendOrGather(eventId, event);
    });
  }

  #sendOrGather(eventId: string, event: EventVisits): void {
    if (event.pending.length === 0) return;
    if (!event.isUrgent) this.#gather(eventId, event, SIGNS_GATHER_MS);
    else if (event.callsUnderWay === 0) this.flush(eventId);
    else this.#gather(eventId, event, GATHER_MS);
  }

  /** For this long at most: what is urgent is sent when the call under way returns, and takes signs of life with it. */
  #gather(eventId: string, event: EventVisits, ms: number): void {
    if (event.timers.has(ms)) return;
    event.timers.add(ms);
    this.#timers.after(ms, () => {
      event.timers.delete(ms);
      this.flush(eventId);
      this.#forgetIfIdle(eventId, event);
    });
  }

  #forgetIfIdle(eventId: string, event: EventVisits): void {
    const isIdle = event.callsUnderWay === 0 && event.pending.length === 0 && event.timers.size === 0;
    if (isIdle) this.#events.delete(eventId);
  }

  async #deliver(eventId: string, event: EventVisits, visits: PendingVisit[]): Promise<void> {
    event.callsUnderWay += 1;
    try {
      const outcomes = await this.#send(
        eventId,
        visits.map(({ visit }) => visit),
      );
      for (let i = 0; i < visits.length; i += 1) visits[i]!.resolve(outcomes[i]!);
    } catch (error) {
      for (const { reject } of visits) reject(error);
    } finally {
      this.#unanswered -= visits.length;
      event.callsUnderWay -= 1;
      if (event.callsUnderWay === 0) this.#sendOrGather(eventId, event);
      this.#forgetIfIdle(eventId, event);
    }
  }
}

const script = loadScript(new URL('visit.lua', import.meta.url));
const NO_ROOM: NoRoom = { outcome: 'no-room' };

/** The outcome of each visit, in the order given. */
export async function visit(caller: ScriptCaller, eventId: string, visits: Visit[]): Promise<VisitOutcome[]> {
  const parts: string[] = [];
  const moreKeys = visits.some(isJoin) ? [attemptKey(eventId, caller.nameAttempt())] : [];
  for (const each of visits) {
    parts.push(each.verb, each.visitor, detailOf(each));
    if (isJoin(each) && each.request !== undefined) moreKeys.push(dedupeKey(eventId, each.request.id));
  }
  const known = caller.views.find(eventId);
  const call = { script, eventId, args: [JSON.stringify(parts), known?.tag ?? ''], moreKeys };
  const lastTick = caller.fence.lastTick(eventId);
  // Places and sessions are promises, which must survive a failover.
  const isPromise = visits.some((each) => isJoin(each) || each.verb === 'enter');
  const reply = await (isPromise ? caller.callDurably(call) : caller.call(call));
  if (reply === null) return visits.map(() => NO_ROOM);
  const [answers, ...viewReply] = reply as [string, ...KnownViewReply];
  const { view, tag } = readView(viewReply, known, caller.defaults);
  caller.requireCurrent(eventId, lastTick, view);
  if (tag !== known?.tag) caller.views.remember(eventId, { view, tag });
  return answers.split('\n').map((answer, i) => toOutcome(readAnswer(answer), view, visits[i]!.visitor));
}

function readAnswer(line: string): AnswerReply {
  const [outcome = '', state, ...numbers] = line.split(' ');
  return state === undefined ? [outcome] : [outcome, state, ...numbers.map(Number)];
}

function isJoin(visit: Visit): visit is JoinVisit {
  return visit.verb === 'join' || visit.verb === 'join-priority';
}

function detailOf(visit: Visit): string {
  if (isJoin(visit)) return visit.request?.attempt ?? '';
  if (visit.verb === 'stay') return visit.tokenId ?? '';
  return visit.verb === 'enter' ? (visit.placeId ?? '') : '';
}

function toOutcome(answer: AnswerReply, view: RoomView, visitor: string): VisitOutcome {
  const [outcome] = answer;
  if (outcome === 'closed' || outcome === 'number-required') return { outcome };
  return { outcome, standing: toStanding(answer, view, visitor), crowd: view.crowd } as VisitOutcome;
}

export function toStanding(answer: AnswerReply, view: RoomView, visitor: string): Standing {
  const [, state, number = 0, joinedAt = 0, first = 0, second = 0] = answer;
  // The most frequent case, without spreads.
  if (state === 'waiting' && second === 0 && view.draw === undefined) {
    return { state, number, tokenId: `${view.epoch}.${number}`, joinedAt, position: first };
  }
  const isPriority = (state === 'lobby' ? first : second) === 1;
  const lane = isPriority && (state === 'lobby' || state === 'waiting') ? { lane: 'priority' as const } : {};
  if (state === 'lobby' || (state === 'waiting' && isUntold(view.draw, number))) {
    return { state: 'lobby', joinedAt, ...lane, ...toLotFacts(view, visitor, joinedAt) };
  }
  const isDrawn = view.draw !== undefined && isDrawnNumber(view.draw, number);
  const lotFacts = isDrawn ? toLotFacts(view, visitor, joinedAt) : {};
  const facts = { number, tokenId: `${view.epoch}.${number}`, joinedAt, ...lotFacts };
  switch (state) {
    case 'waiting':
      return { state, ...facts, ...lane, position: first };
    case 'admitted':
    case 'active':
      return { state, ...facts, admittedAt: first, expiresAt: second };
    default:
      return { state: 'absent' };
  }
}

function toLotFacts(view: RoomView, visitor: string, joinedAt: number): LotFacts {
  return { lot: toLot(view.draw!.lotKey, visitor), lobbyId: lobbyIdOf(view, { joinedAt }) };
}
