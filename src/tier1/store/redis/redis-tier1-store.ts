/** Tier 1 in Redis or Redis Cluster, for any number of processes. Each method is one script. */
import { Liveness } from '../../../platform/redis/liveness.ts';
import type { RedisClient } from '../../../platform/redis/scripts.ts';
import type { Counters, Pace } from '../../model/counters.ts';
import type { StateMove } from '../../rules/move.ts';
import type { AssignOutcome, Tier1Store } from '../tier1-store.ts';
import { advance } from './scripts/advance.ts';
import { advanceTo } from './scripts/advance-to.ts';
import { assign } from './scripts/assign.ts';
import { ACTIVE_EVENTS_KEY, countersKey } from './scripts/keys.ts';
import { move } from './scripts/move.ts';
import { release } from './scripts/release.ts';
import { type CountersReply, Tier1ScriptCaller, toCounters } from './scripts/script-caller.ts';

export interface RedisTier1StoreOptions {
  /** Shared with the line, so not closed with the store. */
  client: RedisClient;
  /** How long a device's position is kept. */
  placeTtlMs: number;
  /** Defaults to the clock of Redis, so all processes use the same one. */
  now?: (() => number) | undefined;
}

const COUNTERS = ['activation', 'state', 'nextPosition', 'servingCounter', 'advancedAt'];

export class RedisTier1Store implements Tier1Store {
  readonly #liveness: Liveness;
  readonly #caller: Tier1ScriptCaller;
  readonly #placeTtlMs: number;

  constructor({ client, placeTtlMs, now }: RedisTier1StoreOptions) {
    this.#liveness = new Liveness(client);
    this.#caller = new Tier1ScriptCaller({ client, liveness: this.#liveness, now });
    this.#placeTtlMs = placeTtlMs;
  }

  async findCounters(eventId: string): Promise<Counters | undefined> {
    const reply = await this.#caller.guard((client) => client.hmget(countersKey(eventId), ...COUNTERS));
    return reply[0] === null ? undefined : toCounters(eventId, reply as CountersReply);
  }

  async listActive(): Promise<string[]> {
    return (await this.#caller.guard((client) => client.smembers(ACTIVE_EVENTS_KEY))).sort();
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
   * The set of active events lives in another cluster slot. It is added to before the move and removed from after it:
   * a crash in between leaves an extra event, which is harmless and removed by the next deactivation.
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
    await this.#caller.guard((client) => client.sadd(ACTIVE_EVENTS_KEY, eventId));
  }

  /** A concurrent activation has either listed the event before this, and is found here, or lists it after this. */
  async #unlist(eventId: string): Promise<void> {
    await this.#caller.guard((client) => client.srem(ACTIVE_EVENTS_KEY, eventId));
    const counters = await this.findCounters(eventId);
    if (counters?.state !== 'inactive') await this.#list(eventId);
  }
}
