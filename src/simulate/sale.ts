/**
 * A whole sale in virtual time, by the rules that real rooms run by: visitors come, wait, give up, are let in, shop and
 * go; an operator changes the room. Says how long each waited, and what a sample of them was shown meanwhile.
 */
import { estimateWait, type WaitEstimate } from '../line/estimate.ts';
import { countInside, createLine, type Line, type Place } from '../line/line.ts';
import { phaseAt, type RoomOverrides, type RoomSettings } from '../line/room-settings.ts';
import { join } from '../line/rules/join.ts';
import { leave } from '../line/rules/leave.ts';
import { look } from '../line/rules/look.ts';
import { configure } from '../line/rules/operate.ts';
import { sweep } from '../line/rules/sweep.ts';
import { tick } from '../line/rules/tick.ts';
import { Deadlines } from '../platform/deadlines.ts';

export interface SalePlan {
  settings: RoomSettings;
  tickMs: number;
  visitors: VisitorPlan[];
  /** What the operator does, by the time since the sale began. */
  changes: { atMs: number; overrides: RoomOverrides }[];
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
}

export interface Visit {
  joinedAtMs: number;
  /** Undefined for who gave up, or was not let in before the end. */
  admittedAtMs: number | undefined;
  /** What they were shown, every SHOWN_EVERY_MS; empty for those who are not in the sample. */
  shown: { atMs: number; wait: WaitEstimate }[];
}

export const SHOWN_EVERY_MS = 5_000;
const SWEEP_EVERY_MS = 30_000;
/** Any instant will do: nothing depends on it but the clock's being past 0. */
const EPOCH = Date.UTC(2027, 0, 1);

export function simulateSale(plan: SalePlan): Visit[] {
  const sale = new Sale(plan);
  for (let at = 0; at <= plan.endsAtMs; at += plan.tickMs) sale.advanceTo(at);
  return sale.visits;
}

class Sale {
  readonly visits: Visit[];
  readonly #plan: SalePlan;
  readonly #line: Line;
  /** What visitors will do, each at its time. */
  readonly #deeds = new Deadlines<() => void>();
  readonly #inSample = new Set<number>();
  #now = 0;

  constructor(plan: SalePlan) {
    this.#plan = plan;
    const { settings: defaults, tickMs, visitors, changes } = plan;
    this.#line = createLine({ eventId: 'sale', epoch: 'sale', defaults, overrides: {}, tickMs });
    this.visits = visitors.map(({ comesAtMs }) => ({ joinedAtMs: comesAtMs, admittedAtMs: undefined, shown: [] }));
    for (const [index, { comesAtMs }] of visitors.entries()) this.#deeds.push(comesAtMs, () => this.#come(index));
    for (const { atMs, overrides } of changes) {
      this.#deeds.push(atMs, () => configure(this.#line, defaults, { ...this.#line.overrides, ...overrides }));
    }
  }

  advanceTo(now: number): void {
    this.#now = now;
    for (let deed = this.#deeds.popDue(now); deed !== undefined; deed = this.#deeds.popDue(now)) deed();
    if (now % SWEEP_EVERY_MS === 0) while (sweep(this.#line, EPOCH + now)) {}
    for (const place of tick(this.#line, EPOCH + now).admitted) this.#admit(Number(place.visitor));
    if (now % SHOWN_EVERY_MS === 0) for (const index of this.#inSample) this.#show(index);
  }

  #come(index: number): void {
    const result = join(this.#line, String(index), EPOCH + this.#now);
    if (!('place' in result)) return;
    if (result.place.state !== 'waiting') {
      this.#admit(index);
      return;
    }
    if (index % this.#plan.sampleEvery === 0) this.#inSample.add(index);
    const { givesUp } = this.#plan.visitors[index]!;
    const until = givesUp === undefined ? Number.POSITIVE_INFINITY : this.#now + givesUp.afterMs;
    if (givesUp !== undefined && !givesUp.silently) this.#deeds.push(until, () => this.#giveUp(index));
    this.#beSeen(index, 'waiting', until);
  }

  /** Signs of life, seldom, because only their absence matters. */
  #beSeen(index: number, as: 'waiting' | 'active', until: number): void {
    const { seenTtlMs, activeTtlMs } = this.#line.settings;
    const next = this.#now + Math.min(seenTtlMs, activeTtlMs) / 3;
    if (next >= until) return;
    this.#deeds.push(next, () => {
      if (this.#placeOf(index)?.state !== as) return;
      look(this.#line, String(index), EPOCH + this.#now);
      this.#beSeen(index, as, until);
    });
  }

  #giveUp(index: number): void {
    if (this.#placeOf(index)?.state !== 'waiting') return;
    leave(this.#line, String(index), EPOCH + this.#now);
    this.#inSample.delete(index);
  }

  /** Whoever is still there comes in with the next tick; whoever has gone silently does not. */
  #admit(index: number): void {
    this.#inSample.delete(index);
    const { givesUp, shopsMs, vanishes, comesAtMs } = this.#plan.visitors[index]!;
    if (givesUp?.silently === true && comesAtMs + givesUp.afterMs <= this.#now) return;
    this.visits[index]!.admittedAtMs = this.#now;
    const leavesAt = this.#now + shopsMs;
    this.#deeds.push(this.#now + 1, () => {
      look(this.#line, String(index), EPOCH + this.#now);
      this.#beSeen(index, 'active', leavesAt);
    });
    if (!vanishes) this.#deeds.push(leavesAt, () => leave(this.#line, String(index), EPOCH + this.#now));
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
    this.visits[index]!.shown.push({ atMs: this.#now, wait });
  }

  #placeOf(index: number): Place | undefined {
    return this.#line.places.get(String(index));
  }
}
