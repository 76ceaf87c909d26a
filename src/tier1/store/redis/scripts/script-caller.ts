/** Calls the scripts of tier 1, and fails fast while Redis is down. */
import type { Liveness } from '../../../../platform/redis/liveness.ts';
import { type RedisClient, runScript, type Script, type ScriptArgument } from '../../../../platform/redis/scripts.ts';
import { toStoreError } from '../../../../platform/redis/store-errors.ts';
import type { Counters, Tier1State } from '../../../model/counters.ts';
import { tier1Keys } from './keys.ts';

export interface Tier1ScriptCallerOptions {
  client: RedisClient;
  liveness: Liveness;
  /** Defaults to the clock of Redis. */
  now?: (() => number) | undefined;
}

export type CountersReply = [
  activation: string,
  state: Tier1State,
  nextPosition: string,
  servingCounter: string,
  advancedAt: string,
];

export class Tier1ScriptCaller {
  readonly #client: RedisClient;
  readonly #liveness: Liveness;
  readonly #now: (() => number) | undefined;

  constructor({ client, liveness, now }: Tier1ScriptCallerOptions) {
    this.#client = client;
    this.#liveness = liveness;
    this.#now = now;
  }

  call(script: Script, eventId: string, args: ScriptArgument[]): Promise<unknown> {
    const withTime = [this.#now?.() ?? '', ...args];
    const keys = tier1Keys(eventId);
    return this.guard((client) => runScript(client, script, keys, withTime), keys[0]);
  }

  /** Runs a command; errors that mean Redis cannot serve become StoreUnavailableError. */
  async guard<T>(command: (client: RedisClient) => Promise<T>, key?: string): Promise<T> {
    try {
      return await this.#liveness.run(() => command(this.#client), key);
    } catch (error) {
      throw toStoreError(error);
    }
  }
}

export function toCounters(eventId: string, reply: CountersReply): Counters {
  const [activation, state, nextPosition, servingCounter, advancedAt] = reply;
  return {
    eventId,
    activation,
    state,
    nextPosition: Number(nextPosition),
    servingCounter: Number(servingCounter),
    advancedAt: Number(advancedAt),
  };
}
