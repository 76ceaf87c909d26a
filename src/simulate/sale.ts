/**
 * Simulates a whole sale in virtual time with the rules of the real line: visitors arrive, wait, abandon, are admitted,
 * shop and leave; the operator changes the room; seats sell until none is left. Returns how long each visitor waited,
 * their outcome, and the estimates that a sample of them was shown.
 */
import { estimateWait, type WaitEstimate } from '../line/estimate/estimate.ts';
import { countInside, countWaiting, createLine, type Line, type Place } from '../line/model/line.ts';
import { phaseAt, type RoomOverrides, type RoomSettings } from '../line/model/room-settings.ts';
import { bucketSize } from '../line/rules/free-slots.ts';
import { join } from '../line/rules/join.ts';
import { leave } from '../line/rules/leave.ts';
import { look } from '../line/rules/look.ts';
import { configure } from '../line/rules/operate.ts';
import { touch } from '../line/rules/sessions.ts';
import { sweep } from '../line/rules/sweep.ts';
import { tick } from '../line/rules/tick.ts';
import { DeadlineHeap } from '../platform/collections/deadline-heap.ts';
import { type Presence, SignsOfLife } from './signs-of-life.ts';

export interface SalePlan {
  settings: RoomSettings;
  tickMs: number;
  /** Sorted by arrival. */
  visitors: readonly VisitorPlan[];
  /** Changes by the operator, by time since the start of the sale. */
  changes: { atMs: number; overrides: RoomOverrides }[];
  /** The sale ends when the last seat is sold. */
  seats?: { total: number; perBuyer: number };
  /** One visitor in this many is in the sample whose estimates are recorded. */
  sampleEvery: number;
  endsAtMs: number;
}

/** Times are since the start of the sale; durations in ms. */
export interface VisitorPlan {
  comesAtMs: number;
  /** Time inside. */
  shopsMs: number;
  /** Leaves silently, so the slot is freed only by expiry. */
  vanishes: boolean;
  /** Abandons the line after this long, silently or by leaving. */
  givesUp?: { afterMs: number; silently: boolean };
  /** How long it takes them to notice their admission; 0 if absent. */
  noticesMs?: number;
  /** Waits to be admitted, then does not enter. */
  staysAway?: true;
  /** Buys nothing. */
  onlyLooks?: true;
}

/**
 * `absent`: had not arrived before the end, or found the room closed. `no-show`: was admitted and did not enter, for
 * example after abandoning silently.
 */
export type Fate = 'absent' | 'waiting' | 'gave-up' | 'no-show' | 'inside';

export interface Visit {
  joinedAtMs: number;
  /** Undefined if the visitor abandoned or was not admitted before the end. */
  admittedAtMs: number | undefined;
  /** When they noticed their admission. */
  insideAtMs: number | undefined;
  fate: Fate;
  /** Seats bought. */
  seats: number;
  /** The estimates shown, every SHOWN_EVERY_MS; empty outside the sample. */
  shown: readonly { atMs: number; wait: WaitEstimate }[];
}

/** The state of the sale after a tick. */
export interface SaleMoment {
  atMs: number;
  waiting: number;
  inside: number;
  limit: number;
  /** Undefined if seats are not simulated. */
  seatsLeft: number | undefined;
}

export const SHOWN_EVERY_MS = 5_000;
const SWEEP_EVERY_MS = 30_000;
/** Any instant after 0 would do. */
const EPOCH = Date.UTC(2027, 0, 1);
const NOTHING_SHOWN: Visit['shown'] = [];

/** Calls `watch` after every tick. */
export function simulateSale(plan: SalePlan, watch: (moment: SaleMoment) => void = () => {}): Visit[] {
  const sale = new Sale(plan);
  for (let at = 0; at <= plan.endsAtMs && !sale.isOver; at += plan.tickMs) {
    sale.advanceTo(at);
    watch(sale.moment());
  }
  return sale.finish();
}

class Sale {
  readonly #plan: SalePlan;
  readonly #visits: (Visit & { shown: { atMs: number; wait: WaitEstimate }[] | Visit['shown'] })[];
  readonly #line: Line;
  readonly #places: (Place | undefined)[];
  /** Future actions of visitors and of the operator. */
  readonly #deeds = new DeadlineHeap<() => void>();
  readonly #signs: SignsOfLife;
  readonly #inSample = new Set<number>();
  #arrived = 0;
  #seatsLeft: number | undefined;
  #now = 0;

  constructor(plan: SalePlan) {
    this.#plan = plan;
    const { settings: defaults, tickMs, visitors, changes } = plan;
    this.#line = createLine({ eventId: 'sale', epoch: 'sale', defaults, overrides: {}, tickMs });
    this.#places = new Array(visitors.length);
    this.#signs = new SignsOfLife(tickMs);
    this.#seatsLeft = plan.seats?.total;
    this.#visits = visitors.map(({ comesAtMs }) => ({
      joinedAtMs: comesAtMs,
      admittedAtMs: undefined,
      insideAtMs: undefined,
      fate: 'absent',
      seats: 0,
      shown: NOTHING_SHOWN,
    }));
    for (const { atMs, overrides } of changes) {
      this.#deeds.push(atMs, () => configure(this.#line, defaults, { ...this.#line.overrides, ...overrides }));
    }
  }

  /** Sold out, or everyone has left. */
  get isOver(): boolean {
    const { places, away } = this.#line;
    // Nobody who is away comes back.
    const isDeserted = this.#arrived === this.#visits.length && places.size === away.size;
    return this.#seatsLeft === 0 || isDeserted;
  }

  advanceTo(now: number): void {
    this.#now = now;
    this.#doWhatIsDue();
    for (const sign of this.#signs.takeDue(now)) this.#giveSign(sign);
    if (now % SWEEP_EVERY_MS === 0) while (sweep(this.#line, EPOCH + now)) {}
    this.#hearHeads();
    for (const place of tick(this.#line, EPOCH + now).admitted) this.#admit(Number(place.visitor));
    if (now % SHOWN_EVERY_MS === 0) for (const index of this.#inSample) this.#show(index);
  }

  moment(): SaleMoment {
    const { settings } = this.#line;
    return {
      atMs: this.#now,
      waiting: countWaiting(this.#line),
      inside: countInside(this.#line),
      limit: settings.maxActive,
      seatsLeft: this.#seatsLeft,
    };
  }

  /** Counts visitors who left silently as having abandoned. */
  finish(): Visit[] {
    for (const [index, visit] of this.#visits.entries()) {
      if (visit.fate === 'waiting' && this.#hasGoneSilently(index)) visit.fate = 'gave-up';
    }
    return this.#visits;
  }

  /** Runs arrivals and other due actions in order of time. */
  #doWhatIsDue(): void {
    const { visitors } = this.#plan;
    for (;;) {
      const comesAt = visitors[this.#arrived]?.comesAtMs ?? Number.POSITIVE_INFINITY;
      if (comesAt > this.#now && this.#deeds.next > this.#now) return;
      if (comesAt <= this.#deeds.next) this.#come(this.#arrived++);
      else this.#deeds.popDue(this.#now)!();
    }
  }

  #come(index: number): void {
    const result = join(this.#line, String(index), EPOCH + this.#now);
    if (!('place' in result)) return;
    this.#places[index] = result.place;
    if (result.place.state !== 'waiting') {
      this.#admit(index);
      return;
    }
    const visit = this.#visits[index]!;
    visit.fate = 'waiting';
    if (index % this.#plan.sampleEvery === 0) {
      visit.shown = [];
      this.#inSample.add(index);
    }
    const { givesUp } = this.#plan.visitors[index]!;
    const until = givesUp === undefined ? Number.POSITIVE_INFINITY : this.#now + givesUp.afterMs;
    if (givesUp !== undefined) {
      this.#deeds.push(until, () => (givesUp.silently ? this.#lookOnce(index) : this.#giveUp(index)));
    }
    this.#beSeen({ index, as: 'waiting', until });
  }

  /** Signs of life are rare, because only their absence matters. */
  #beSeen(presence: Presence): void {
    const { seenTtlMs, activeTtlMs } = this.#line.settings;
    const next = this.#now + Math.min(seenTtlMs, activeTtlMs) / 3;
    if (next < presence.until) this.#signs.expect(next, presence);
  }

  #giveSign(presence: Presence): void {
    const place = this.#placeOf(presence.index);
    if (place?.state !== presence.as) return;
    // Not `look`: finding the place by name costs more than everything else at a million visitors.
    touch(this.#line, place, EPOCH + this.#now);
    this.#beSeen(presence);
  }

  /**
   * Visitors next in line poll every second, which matters at the head alone: there the quiet are passed over. Walks from
   * the head past as many present visitors as this tick can admit.
   */
  #hearHeads(): void {
    const { waiting, settings } = this.#line;
    const { admitPerSecond, batchSize, maxActive } = settings;
    // No-shows may double the rate.
    const perTick = admitPerSecond === undefined ? batchSize : 2 * bucketSize(this.#line, admitPerSecond);
    const most = Math.min(perTick, maxActive);
    let present = 0;
    for (let rank = 1; present < most && rank <= waiting.size; rank += 1) {
      const place = waiting.at(rank)!;
      if (this.#hasGoneSilently(Number(place.visitor))) continue;
      touch(this.#line, place, EPOCH + this.#now);
      present += 1;
    }
  }

  /** The last poll of a visitor who then leaves silently. */
  #lookOnce(index: number): void {
    const place = this.#placeOf(index);
    if (place?.state === 'waiting') touch(this.#line, place, EPOCH + this.#now);
  }

  #giveUp(index: number): void {
    const place = this.#placeOf(index);
    if (place?.state !== 'waiting') return;
    leave(this.#line, place.visitor, EPOCH + this.#now);
    this.#visits[index]!.fate = 'gave-up';
    this.#inSample.delete(index);
  }

  /** The visitor enters, unless they left silently or do not mean to enter. */
  #admit(index: number): void {
    this.#inSample.delete(index);
    const { staysAway, noticesMs = 0 } = this.#plan.visitors[index]!;
    const visit = this.#visits[index]!;
    if (this.#hasGoneSilently(index) || staysAway) {
      visit.fate = 'no-show';
      return;
    }
    const isStraightIn = visit.fate === 'absent';
    visit.fate = 'inside';
    visit.admittedAtMs = this.#now;
    visit.insideAtMs = isStraightIn ? visit.joinedAtMs : this.#now + noticesMs;
    this.#shop(index, isStraightIn ? this.#now : visit.insideAtMs);
  }

  /** Seats are taken on entering; the last buyer takes what is left. */
  #shop(index: number, from: number): void {
    const { shopsMs, vanishes, onlyLooks } = this.#plan.visitors[index]!;
    const visitor = String(index);
    const leavesAt = from + shopsMs;
    this.#deeds.push(Math.max(from, this.#now + 1), () => {
      look(this.#line, visitor, EPOCH + this.#now);
      if (this.#seatsLeft !== undefined && !onlyLooks) this.#takeSeats(index);
      this.#beSeen({ index, as: 'active', until: leavesAt });
    });
    if (!vanishes) this.#deeds.push(leavesAt, () => leave(this.#line, visitor, EPOCH + this.#now));
  }

  #takeSeats(index: number): void {
    const taken = Math.min(this.#plan.seats!.perBuyer, this.#seatsLeft!);
    this.#visits[index]!.seats = taken;
    this.#seatsLeft = this.#seatsLeft! - taken;
  }

  #hasGoneSilently(index: number): boolean {
    const { givesUp, comesAtMs } = this.#plan.visitors[index]!;
    return givesUp?.silently === true && comesAtMs + givesUp.afterMs <= this.#now;
  }

  #show(index: number): void {
    const place = this.#placeOf(index);
    if (place?.state !== 'waiting') {
      this.#inSample.delete(index);
      return;
    }
    const { settings, pace, waiting } = this.#line;
    const wait = estimateWait({
      position: waiting.rankOf(place.number),
      phase: phaseAt(settings, EPOCH + this.#now),
      settings,
      inside: countInside(this.#line),
      pace,
      tickMs: this.#plan.tickMs,
    });
    (this.#visits[index]!.shown as { atMs: number; wait: WaitEstimate }[]).push({ atMs: this.#now, wait });
  }

  #placeOf(index: number): Place | undefined {
    const place = this.#places[index];
    if (place === undefined) return undefined;
    const { waiting, away, admitted, active } = this.#line;
    const isThere = (place.isAway ? away : waiting).get(place.number) === place;
    if (place.state === 'waiting') return isThere ? place : undefined;
    return admitted.has(place) || active.has(place) ? place : undefined;
  }
}
