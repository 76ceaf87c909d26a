/** Numberings in Redis, or a Redis Cluster, for any number of processes. Each verb is one script. */
import { Liveness } from '../../../platform/redis/liveness.ts';
import type { RedisClient } from '../../../platform/redis/scripts.ts';
import type { Counters, Pace } from '../../model/counters.ts';
import type { StateMove } from '../../rules/move.ts';
import type { AssignOutcome, Tier1Store } from '../tier1-store.ts';
import { advance } from './scripts/advance.ts';
import { advanceTo } from './scripts/advance-to.ts';
import { assign } from './scripts/assign.ts';
import { ACTIVE_NUMBERINGS_KEY, countersKey } from './scripts/keys.ts';
import { move } from './scripts/move.ts';
import { release } from './scripts/release.ts';
import { type CountersReply, NumberingCaller, toCounters } from './scripts/script-caller.ts';

export interface RedisTier1StoreOptions {
  /** Not closed with the store: it is the line's too. */
  client: RedisClient;
  /** How long a device's position is remembered. */
  placeTtlMs: number;
  /** Where the time comes from; Redis's own clock if absent, so that all processes go by one. */
  now?: (() => number) | undefined;
}

const COUNTERS = ['activation', 'state', 'nextPosition', 'servingCounter', 'advancedAt'];

export class RedisTier1Store implements Tier1Store {
  readonly #liveness: Liveness;
  readonly #caller: NumberingCaller;
  readonly #placeTtlMs: number;

  constructor({ client, placeTtlMs, now }: RedisTier1StoreOptions) {
    this.#liveness = new Liveness(client);
    this.#caller = new NumberingCaller({ client, liveness: this.#liveness, now });
    this.#placeTtlMs = placeTtlMs;
  }

  async findCounters(eventId: string): Promise<Counters | undefined> {
    const reply = await this.#caller.guard((client) => client.hmget(countersKey(eventId), ...COUNTERS));
    return reply[0] === null ? undefined : toCounters(eventId, reply as CountersReply);
  }

  async listActive(): Promise<string[]> {
    return (await this.#caller.guard((client) => client.smembers(ACTIVE_NUMBERINGS_KEY))).sort();
  }

  assign(eventId: string, devices: readonly string[]): Promise<AssignOutcome> {
    return assign(this.#caller, { eventId, devices, rememberMs: this.#placeTtlMs });
  }

  release(eventId: string, device: string, position: number): Promise<void> {
    return release(this.#caller, eventId, device, position);
  }

  advance(eventId: string, pace: Pace): Promise<Counters | undefined> {
    return advance(this.#caller, eventId, pace);
  }

  advanceTo(eventId: string, target: number): Promise<Counters | undefined> {
    return advanceTo(this.#caller, eventId, target);
  }

  /**
   * The set of those that are on lives in another slot. It is added to before and taken from after, so that a crash in
   * between leaves a name too many, which does no harm and goes when the numbering is next switched off.
   */
  async move(eventId: string, step: StateMove): Promise<boolean> {
    if (step.to === 'opening') await this.#list(eventId);
    const moved = await move(this.#caller, eventId, step);
    if (moved && step.to === 'inactive') await this.#unlist(eventId);
    return moved;
  }

  fault(): string | undefined {
    return this.#liveness.fault();
  }

  async close(): Promise<void> {
    this.#liveness.stop();
  }

  async #list(eventId: string): Promise<void> {
    await this.#caller.guard((client) => client.sadd(ACTIVE_NUMBERINGS_KEY, eventId));
  }

  /** Whoever switched it on meanwhile has listed it before this, and is found here, or will list it after this. */
  async #unlist(eventId: string): Promise<void> {
    await this.#caller.guard((client) => client.srem(ACTIVE_NUMBERINGS_KEY, eventId));
    const counters = await this.findCounters(eventId);
    if (counters?.state !== 'inactive') await this.#list(eventId);
  }
}
