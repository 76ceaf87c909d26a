/**
 * A whole sale in virtual time, by the rules that real rooms run by: visitors come, wait, give up, are let in, shop and
 * go; an operator changes the room; seats are sold until none is left. Says how long each waited, what became of them,
 * and what a sample of them was shown meanwhile.
 */
import { estimateWait, type WaitEstimate } from '../line/estimate/estimate.ts';
import { countInside, createLine, type Line, type Place } from '../line/model/line.ts';
import { phaseAt, type RoomOverrides, type RoomSettings } from '../line/model/room-settings.ts';
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
  /** In the order in which they come. */
  visitors: readonly VisitorPlan[];
  /** What the operator does, by the time since the sale began. */
  changes: { atMs: number; overrides: RoomOverrides }[];
  /** What is sold. With the last seat the sale is over. */
  seats?: { total: number; perBuyer: number };
  /** One visitor in so many is asked what they are shown. */
  sampleEvery: number;
  endsAtMs: number;
}

/** All times from the beginning of the sale, or for how long. */
export interface VisitorPlan {
  comesAtMs: number;
  /** How long they stay inside. */
  shopsMs: number;
  /** Whether they go without a word, so that only their silence frees the slot. */
  vanishes: boolean;
  /** When they have had enough of waiting, and whether they say so. */
  givesUp?: { afterMs: number; silently: boolean };
  /** How long after being let in they notice; at once if absent. */
  noticesMs?: number;
  /** Waits to the end, and does not come when let in. */
  staysAway?: true;
  /** Buys nothing, whatever there is. */
  onlyLooks?: true;
}

/**
 * `absent`: had not come before the sale was over, or found the room closed. `no-show`: was let in and did not come,
 * be it that they had gone silently.
 */
export type Fate = 'absent' | 'waiting' | 'gave-up' | 'no-show' | 'inside';

export interface Visit {
  joinedAtMs: number;
  /** Undefined for who gave up, or was not let in before the end. */
  admittedAtMs: number | undefined;
  /** When they noticed. */
  insideAtMs: number | undefined;
  fate: Fate;
  /** How many they bought. */
  seats: number;
  /** What they were shown, every SHOWN_EVERY_MS; empty for those who are not in the sample. */
  shown: readonly { atMs: number; wait: WaitEstimate }[];
}

/** How the sale stands after a tick. */
export interface SaleMoment {
  atMs: number;
  waiting: number;
  inside: number;
  limit: number;
  /** Undefined where nothing is sold. */
  seatsLeft: number | undefined;
}

export const SHOWN_EVERY_MS = 5_000;
const SWEEP_EVERY_MS = 30_000;
/** Any instant will do: nothing depends on it but the clock's being past 0. */
const EPOCH = Date.UTC(2027, 0, 1);
const NOTHING_SHOWN: Visit['shown'] = [];

/** `watch` is told how the sale stands after every tick. */
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
  /** What visitors and the operator will do, each at its time. */
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

  /** Sold out, or everyone has come and gone. */
  get isOver(): boolean {
    const isDeserted = this.#arrived === this.#visits.length && this.#line.places.size === 0;
    return this.#seatsLeft === 0 || isDeserted;
  }

  advanceTo(now: number): void {
    this.#now = now;
    this.#doWhatIsDue();
    for (const sign of this.#signs.takeDue(now)) this.#giveSign(sign);
    if (now % SWEEP_EVERY_MS === 0) while (sweep(this.#line, EPOCH + now)) {}
    for (const place of tick(this.#line, EPOCH + now).admitted) this.#admit(Number(place.visitor));
    if (now % SHOWN_EVERY_MS === 0) for (const index of this.#inSample) this.#show(index);
  }

  moment(): SaleMoment {
    const { waiting, settings } = this.#line;
    return {
      atMs: this.#now,
      waiting: waiting.size,
      inside: countInside(this.#line),
      limit: settings.maxActive,
      seatsLeft: this.#seatsLeft,
    };
  }

  /** Those who have gone silently are known to have gone, now that it is over. */
  finish(): Visit[] {
    for (const [index, visit] of this.#visits.entries()) {
      if (visit.fate === 'waiting' && this.#hasGoneSilently(index)) visit.fate = 'gave-up';
    }
    return this.#visits;
  }

  /** Arrivals and everything else in the order of their times. */
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
    if (givesUp !== undefined && !givesUp.silently) this.#deeds.push(until, () => this.#giveUp(index));
    this.#beSeen({ index, as: 'waiting', until });
  }

  /** Signs of life, seldom, because only their absence matters. */
  #beSeen(presence: Presence): void {
    const { seenTtlMs, activeTtlMs } = this.#line.settings;
    const next = this.#now + Math.min(seenTtlMs, activeTtlMs) / 3;
    if (next < presence.until) this.#signs.expect(next, presence);
  }

  #giveSign(presence: Presence): void {
    const place = this.#placeOf(presence.index);
    if (place?.state !== presence.as) return;
    // As look does it, less finding the place by name, which at a million costs more than all the rest.
    touch(this.#line, place, EPOCH + this.#now);
    this.#beSeen(presence);
  }

  #giveUp(index: number): void {
    const place = this.#placeOf(index);
    if (place?.state !== 'waiting') return;
    leave(this.#line, place.visitor, EPOCH + this.#now);
    this.#visits[index]!.fate = 'gave-up';
    this.#inSample.delete(index);
  }

  /** Whoever is still there comes in; whoever has gone silently, or stays away, does not. */
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

  /** Seats are held from coming in; the last buyer takes what is left. */
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
    const { waiting, admitted, active } = this.#line;
    if (place.state === 'waiting') return waiting.get(place.number) === place ? place : undefined;
    return admitted.has(place) || active.has(place) ? place : undefined;
  }
}
