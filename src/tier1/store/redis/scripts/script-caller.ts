/** Calls the scripts of a numbering, and fails fast while Redis is away. */
import type { Liveness } from '../../../../platform/redis/liveness.ts';
import { type RedisClient, runScript, type Script, type ScriptArgument } from '../../../../platform/redis/scripts.ts';
import { toStoreError } from '../../../../platform/redis/store-errors.ts';
import { StoreUnavailableError } from '../../../../platform/store-unavailable-error.ts';
import type { Counters, Tier1State } from '../../../model/counters.ts';
import { numberingKeys } from './keys.ts';

export interface NumberingCallerOptions {
  client: RedisClient;
  liveness: Liveness;
  /** Where the time comes from; the server's own clock if absent. */
  now?: (() => number) | undefined;
}

export type CountersReply = [
  activation: string,
  state: Tier1State,
  nextPosition: string,
  servingCounter: string,
  advancedAt: string,
];

export class NumberingCaller {
  readonly #client: RedisClient;
  readonly #liveness: Liveness;
  readonly #now: (() => number) | undefined;

  constructor({ client, liveness, now }: NumberingCallerOptions) {
    this.#client = client;
    this.#liveness = liveness;
    this.#now = now;
  }

  call(script: Script, eventId: string, args: ScriptArgument[]): Promise<unknown> {
    const withTime = [this.#now?.() ?? '', ...args];
    return this.guard((client) => runScript(client, script, numberingKeys(eventId), withTime));
  }

  /** Runs a command; whatever shows that Redis cannot serve becomes a StoreUnavailableError. */
  async guard<T>(command: (client: RedisClient) => Promise<T>): Promise<T> {
    const fault = this.#liveness.fault();
    if (fault !== undefined) throw new StoreUnavailableError(fault);
    try {
      return await command(this.#client);
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
