/**
 * Random histories of a room with two lanes, against a model without credits or formulas: it counts the admissions
 * while both lanes wait, sums the shares in force, and plays the line to its end to find every position.
 */
import fc from 'fast-check';
import { expect } from 'vitest';
import { type Pulse, rulerOf } from '../../src/line/estimate/pulse.ts';
import { readRank } from '../../src/line/estimate/ruler.ts';
import type { WaitingStanding } from '../../src/line/model/standing.ts';
import type { LineStore } from '../../src/line/store/line-store.ts';

export type LaneStep =
  | { do: 'join'; priority: boolean }
  | { do: 'rush'; priorities: boolean[] }
  | { do: 'leave' | 'rename'; who: number }
  | { do: 'admit'; count: number }
  | { do: 'share'; share: number };

const share = fc.oneof(fc.constantFrom(1, 20, 25, 33, 50, 66, 99, 100), fc.integer({ min: 1, max: 100 }));

export const laneHistories = fc.record({
  share,
  steps: fc.array(
    fc.oneof(
      { weight: 6, arbitrary: fc.record({ do: fc.constant('join' as const), priority: fc.boolean() }) },
      {
        weight: 3,
        arbitrary: fc.record({
          do: fc.constant('rush' as const),
          priorities: fc.array(fc.boolean(), { minLength: 2, maxLength: 8 }),
        }),
      },
      { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('leave' as const, 'rename' as const), who: fc.nat() }) },
      {
        weight: 6,
        arbitrary: fc.record({ do: fc.constant('admit' as const), count: fc.integer({ min: 1, max: 5 }) }),
      },
      {
        weight: 1,
        arbitrary: fc.record({ do: fc.constant('share' as const), share: fc.oneof(share, fc.constant(0)) }),
      },
    ),
    { minLength: 8, maxLength: 30 },
  ),
});

interface Waiter {
  visitor: string;
  number: number;
  isPriority: boolean;
}

/** The admissions of both lanes so far. */
interface Counts {
  /** Admissions from the priority lane while both waited. */
  priority: number;
  /** Sum of the shares in force at each admission while both waited. */
  shares: number;
}

/** Plays one history on a store, in its own event, and checks the model at every step. */
export async function playLanes(
  store: LineStore,
  eventId: string,
  history: { share: number; steps: LaneStep[] },
): Promise<void> {
  const model = new LaneModel(history.share);
  const player = new Player(store, eventId, model);
  await store.putRoom(eventId, { maxActive: 0, batchSize: 1_000, priorityShare: history.share });
  for (const step of history.steps) {
    await player.take(step);
    await player.checkPositions();
  }
}

class LaneModel {
  share: number;
  readonly waiters: Waiter[] = [];
  readonly counts: Counts = { priority: 0, shares: 0 };

  constructor(share: number) {
    this.share = share;
  }

  /** All visitors in the order of admission if nothing else happened. */
  predict(): Waiter[] {
    const left = [...this.waiters];
    const counts = { ...this.counts };
    const order: Waiter[] = [];
    while (left.length > 0) order.push(takeNext(left, counts, this.share));
    return order;
  }

  admit(): Waiter {
    const next = takeNext(this.waiters, this.counts, this.share);
    const { priority, shares } = this.counts;
    expect(100 * priority, 'members got more than their share').toBeLessThanOrEqual(shares);
    expect(100 * (priority + 1), 'members got less than their share').toBeGreaterThan(shares);
    return next;
  }
}

/** The priority lane is next if that keeps it within its share of all admissions while both waited. */
function takeNext(waiters: Waiter[], counts: Counts, share: number): Waiter {
  const ordinary = headOf(waiters, false);
  const priority = headOf(waiters, true);
  let next = ordinary ?? priority!;
  if (ordinary !== undefined && priority !== undefined) {
    if (share === 0) next = ordinary.number < priority.number ? ordinary : priority;
    else {
      counts.shares += share;
      if (100 * (counts.priority + 1) <= counts.shares) {
        counts.priority += 1;
        next = priority;
      }
    }
  }
  waiters.splice(waiters.indexOf(next), 1);
  return next;
}

function headOf(waiters: Waiter[], isPriority: boolean): Waiter | undefined {
  return waiters.filter((waiter) => waiter.isPriority === isPriority).sort((a, b) => a.number - b.number)[0];
}

class Player {
  readonly #store: LineStore;
  readonly #eventId: string;
  readonly #model: LaneModel;
  #names = 0;
  #inside = 0;
  #pulse: Pulse | undefined;

  constructor(store: LineStore, eventId: string, model: LaneModel) {
    this.#store = store;
    this.#eventId = eventId;
    this.#model = model;
  }

  async take(step: LaneStep): Promise<void> {
    this.#pulse = undefined;
    switch (step.do) {
      case 'join':
        return this.#join([step.priority]);
      case 'rush':
        return this.#join(step.priorities);
      case 'leave':
        return this.#leave(step.who);
      case 'rename':
        return this.#rename(step.who);
      case 'admit':
        return this.#admit(step.count);
      case 'share':
        this.#model.share = step.share;
        await this.#store.putRoom(this.#eventId, { priorityShare: step.share });
    }
  }

  /** All at once, which a store may batch. */
  async #join(priorities: boolean[]): Promise<void> {
    const joins = priorities.map(async (priority) => {
      const visitor = this.#newName();
      const outcome = await this.#store.join(this.#eventId, visitor, { priority });
      if (!('standing' in outcome) || outcome.standing.state !== 'waiting') throw new Error('nobody goes straight in');
      const isPriority = priority && this.#model.share > 0;
      expect(outcome.standing.lane, 'only members get a lane field').toBe(isPriority ? 'priority' : undefined);
      this.#model.waiters.push({ visitor, number: outcome.standing.number, isPriority });
      return { visitor, position: outcome.standing.position };
    });
    const outcomes = await Promise.all(joins);
    // The last response counts all the others.
    const last = outcomes.at(-1)!;
    expect(last.position).toBe(this.#model.predict().findIndex(({ visitor }) => visitor === last.visitor) + 1);
  }

  async #leave(who: number): Promise<void> {
    const { waiters } = this.#model;
    const waiter = waiters[who % Math.max(1, waiters.length)];
    if (waiter === undefined) return;
    await this.#store.leave(this.#eventId, waiter.visitor);
    waiters.splice(waiters.indexOf(waiter), 1);
  }

  async #rename(who: number): Promise<void> {
    const { waiters } = this.#model;
    const waiter = waiters[who % Math.max(1, waiters.length)];
    if (waiter === undefined) return;
    const name = this.#newName();
    expect(await this.#store.rename(this.#eventId, waiter.visitor, name)).toEqual({ outcome: 'renamed' });
    waiter.visitor = name;
  }

  async #admit(count: number): Promise<void> {
    await this.#store.putRoom(this.#eventId, { maxActive: this.#inside + count });
    const tick = await this.#store.tick(this.#eventId);
    if (tick.outcome === 'no-room') throw new Error('the room is gone');
    const expected: string[] = [];
    while (expected.length < count && this.#model.waiters.length > 0) expected.push(this.#model.admit().visitor);
    expect(tick.admitted.map(({ visitor }) => visitor)).toEqual(expected);
    this.#inside += expected.length;
    await this.#store.putRoom(this.#eventId, { maxActive: this.#inside });
    this.#pulse = tick.pulse;
  }

  /** Every position, from the store and after a tick from its ruler, is the number of visitors admitted before. */
  async checkPositions(): Promise<void> {
    const order = this.#model.predict();
    const found = await Promise.all(order.map(({ visitor }) => this.#store.find(this.#eventId, visitor)));
    const standings = found.map((outcome) => ('standing' in outcome ? outcome.standing : undefined) as WaitingStanding);
    const positions = order.map((_, index) => index + 1);
    expect(standings.map(({ position }) => position)).toEqual(positions);
    const pulse = this.#pulse;
    if (pulse === undefined) return;
    expect(pulse.crowd.waiting).toBe(order.length);
    const read = standings.map((standing) => readRank(rulerOf(pulse, standing)!, standing.number));
    expect(read, 'positions by the ruler').toEqual(positions);
  }

  #newName(): string {
    this.#names += 1;
    return `v${this.#names}`;
  }
}
