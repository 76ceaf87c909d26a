/**
 * A sale in a claim room in virtual time: a thousand visitors wait, poll, enter in time or too late, shop, leave or
 * vanish, each by their own plan. A model beside the store derives from the ticks what each visitor was promised.
 */
import { describe, expect, it } from 'vitest';
import { UNTOLD_MS } from '../../src/line/rules/sessions.ts';
import type { LineStore } from '../../src/line/store/line-store.ts';
import { testRoomDefaults } from '../support/rooms.ts';
import type { StoreHarness } from './line-store-contract.ts';

const VISITORS = 1_000;
const STEP_MS = 250;
const TICK_MS = 1_000;
const CLAIM_MS = 4_000;
const SESSION_MS = 6_000;
const LIMIT = { maxActive: 50, admitPerSecond: 20, burst: 20, claimWindow: 30 };
const LONGEST_SALE_MS = 400_000;

export function describeClaimSale(name: string, createHarness: () => StoreHarness): void {
  describe(`${name} in a sale of ${VISITORS.toLocaleString('en')} visitors in a claim room`, () => {
    it('grants every promise and nothing else, whatever the rate of polling', async () => {
      const seed = Math.floor(Math.random() * 2 ** 31);
      const promised: string[][] = [];
      for (const extraPolls of [0, 60]) {
        const sale = await openSale(createHarness(), seed);
        await sale.run(extraPolls);
        promised.push(sale.promised);
      }
      expect(promised[1], `polling more changed whose turn it was, seed ${seed}`).toEqual(promised[0]);
      expect(new Set(promised[0]).size, `everybody's turn came once, seed ${seed}`).toBe(VISITORS);
    }, 120_000);
  });
}

interface Plan {
  visitor: string;
  joinsAt: number;
  /** How long after learning of their turn they enter; never, for visitors who have vanished. */
  dawdlesMs: number;
  shopsMs: number;
  /** Neither leaves nor asks again once inside. */
  vanishes: boolean;
}

async function openSale(harness: StoreHarness, seed: number) {
  const store = await harness.open(testRoomDefaults());
  const room = { ...LIMIT, claimTtlMs: CLAIM_MS, activeTtlMs: SESSION_MS, activeMaxTtlMs: 3_600_000 };
  await store.putRoom('concert', { ...room, admission: 'claim' });
  return new Sale(store, (ms) => harness.advance(ms), seed);
}

class Sale {
  /** Whose turn it was, in order. */
  readonly promised: string[] = [];
  readonly #store: LineStore;
  readonly #advance: (ms: number) => Promise<void>;
  readonly #seed: number;
  readonly #plans: Plan[];
  #now = 0;
  readonly #hadTurn = new Set<string>();
  /** Until when, by the sale's own clock. */
  readonly #ready = new Map<string, number>();
  /** Admitted by a tick, and have not asked since. */
  readonly #untold = new Set<string>();
  readonly #inside = new Map<string, number>();
  readonly #entersAt = new Map<string, number>();
  readonly #leavesAt = new Map<string, number>();
  readonly #present = new Set<string>();

  constructor(store: LineStore, advance: (ms: number) => Promise<void>, seed: number) {
    this.#store = store;
    this.#advance = advance;
    this.#seed = seed;
    this.#plans = Array.from({ length: VISITORS }, (_, i) => createPlan(i, randomFrom(seed + i)));
  }

  async run(extraPolls: number): Promise<void> {
    const random = randomFrom(this.#seed);
    while (!this.#isOver()) {
      expect(this.#now, `the sale does not end, seed ${this.#seed}`).toBeLessThan(LONGEST_SALE_MS);
      await Promise.all(this.#plans.filter(({ joinsAt }) => this.#isNow(joinsAt)).map((plan) => this.#join(plan)));
      await this.#poll(this.#plans.filter((_, i) => this.#now % TICK_MS === (i % 4) * STEP_MS));
      await this.#poll(Array.from({ length: extraPolls }, () => this.#plans[Math.floor(random() * VISITORS)]!));
      await this.#enterAll(random);
      await this.#leaveAll();
      if (this.#now % TICK_MS === 0) await this.#tick();
      await this.#checkSlots();
      await this.#advance(STEP_MS);
      this.#now += STEP_MS;
    }
  }

  async #join(plan: Plan): Promise<void> {
    const outcome = await this.#store.join('concert', plan.visitor);
    if (outcome.outcome !== 'joined') throw new Error(`${plan.visitor} could not join: ${outcome.outcome}`);
    this.#present.add(plan.visitor);
    if (outcome.standing.state === 'admitted') this.#promise(plan.visitor);
    else expect(outcome.standing.state).toBe('waiting');
  }

  /** Reading the status is accurate and only counts as a sign of life. */
  async #poll(plans: Plan[]): Promise<void> {
    await Promise.all(
      plans.map(async (plan) => {
        const { visitor } = plan;
        if (!this.#present.has(visitor)) return;
        const outcome = await this.#store.stay('concert', visitor);
        if (outcome.outcome !== 'found') throw new Error('the room is gone');
        const { state } = outcome.standing;
        expect(state, `${visitor} at ${this.#now}, seed ${this.#seed}`).toBe(this.#stateOf(visitor));
        if (state === 'active') this.#inside.set(visitor, this.#now + SESSION_MS);
        if (state === 'admitted' && this.#untold.delete(visitor)) this.#ready.set(visitor, this.#now + CLAIM_MS);
        if (state === 'admitted' && !this.#entersAt.has(visitor)) this.#hearOfTurn(plan);
        if (state === 'absent') this.#present.delete(visitor);
      }),
    );
  }

  #hearOfTurn({ visitor, dawdlesMs }: Plan): void {
    this.#entersAt.set(visitor, this.#now + dawdlesMs);
    if (dawdlesMs === Number.POSITIVE_INFINITY) this.#present.delete(visitor);
  }

  /** Those whose time it is, and some who try their luck. */
  async #enterAll(random: () => number): Promise<void> {
    const due = this.#plans.filter(({ visitor }) => this.#isNow(this.#entersAt.get(visitor)));
    const cheeky = Array.from({ length: 5 }, () => this.#plans[Math.floor(random() * VISITORS)]!);
    const waiting = cheeky.filter(({ visitor }) => this.#stateOf(visitor) === 'waiting');
    await Promise.all([...due, ...waiting].map((plan) => this.#enter(plan)));
  }

  async #enter({ visitor, shopsMs, vanishes }: Plan): Promise<void> {
    const mayEnter = this.#stateOf(visitor) === 'admitted';
    const { outcome } = await this.#store.enter('concert', visitor);
    expect(outcome, `${visitor} asks to enter at ${this.#now}, seed ${this.#seed}`).toBe(
      mayEnter ? 'granted' : 'not-ready',
    );
    if (!mayEnter) return;
    this.#ready.delete(visitor);
    this.#inside.set(visitor, this.#now + SESSION_MS);
    if (vanishes) this.#present.delete(visitor);
    else this.#leavesAt.set(visitor, this.#now + shopsMs);
  }

  async #leaveAll(): Promise<void> {
    const due = this.#plans.filter(({ visitor }) => this.#isNow(this.#leavesAt.get(visitor)));
    for (const { visitor } of due) {
      expect(await this.#store.leave('concert', visitor)).toEqual({ outcome: 'left', from: 'active' });
      this.#inside.delete(visitor);
      this.#present.delete(visitor);
    }
  }

  async #tick(): Promise<void> {
    const tick = await this.#store.tick('concert');
    if (tick.outcome === 'no-room') throw new Error('the room is gone');
    for (const times of [this.#ready, this.#inside]) {
      for (const [visitor, endsAt] of times) if (endsAt <= this.#now) times.delete(visitor);
    }
    for (const { visitor } of tick.admitted) {
      this.#promise(visitor);
      this.#untold.add(visitor);
      this.#ready.set(visitor, this.#now + UNTOLD_MS);
    }
    const { burst, admitPerSecond } = LIMIT;
    expect(this.promised.length).toBeLessThanOrEqual(burst + (admitPerSecond * this.#now) / 1_000);
    // Expired claims and sessions have freed their slots by now.
    const { admitted, active } = tick.pulse.crowd;
    expect({ admitted, active }).toEqual({ admitted: this.#ready.size, active: this.#inside.size });
  }

  async #checkSlots(): Promise<void> {
    const { admitted, active } = (await this.#store.findRoom('concert'))!.crowd;
    expect({ admitted, active }, `slots at ${this.#now}, seed ${this.#seed}`).toEqual(
      this.#countSlots(admitted, active),
    );
    expect(admitted + active).toBeLessThanOrEqual(LIMIT.maxActive);
    expect(admitted).toBeLessThanOrEqual(LIMIT.claimWindow);
  }

  /** Something expired counts until it is noticed: between two ticks either count is right. */
  #countSlots(admitted: number, active: number) {
    const count = (times: Map<string, number>, told: number) => {
      const alive = [...times.values()].filter((endsAt) => endsAt > this.#now).length;
      return Math.min(times.size, Math.max(alive, told));
    };
    return { admitted: count(this.#ready, admitted), active: count(this.#inside, active) };
  }

  #promise(visitor: string): void {
    this.promised.push(visitor);
    this.#hadTurn.add(visitor);
    this.#ready.set(visitor, this.#now + CLAIM_MS);
  }

  #stateOf(visitor: string): 'waiting' | 'admitted' | 'active' | 'absent' {
    if ((this.#ready.get(visitor) ?? 0) > this.#now) return 'admitted';
    if ((this.#inside.get(visitor) ?? 0) > this.#now) return 'active';
    return this.#present.has(visitor) && !this.#hadTurn.has(visitor) ? 'waiting' : 'absent';
  }

  #isNow(at: number | undefined): boolean {
    return at === this.#now;
  }

  #isOver(): boolean {
    return this.promised.length === VISITORS && this.#ready.size + this.#inside.size === 0;
  }
}

function createPlan(i: number, random: () => number): Plan {
  const steps = (from: number, to: number) => Math.floor(from + random() * (to - from + 1)) * STEP_MS;
  const luck = random();
  const late = luck < 0.1 ? CLAIM_MS + steps(0, 4) : steps(0, 8);
  return {
    visitor: `v${i}`,
    joinsAt: steps(0, 80),
    dawdlesMs: luck > 0.92 ? Number.POSITIVE_INFINITY : late,
    shopsMs: steps(2, 12),
    vanishes: random() < 0.05,
  };
}

/** Mulberry32: the same numbers for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
