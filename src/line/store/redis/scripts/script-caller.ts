/** Calls the scripts of the line: adds what each is given, fails fast while Redis is away, waits for replicas if told. */

import type { Liveness } from '../../../../platform/redis/liveness.ts';
import {
  isUnknownScript,
  type RedisClient,
  runScript,
  type Script,
  type ScriptArgument,
} from '../../../../platform/redis/scripts.ts';
import { toStoreError } from '../../../../platform/redis/store-errors.ts';
import { StoreUnavailableError } from '../../../../platform/store-unavailable-error.ts';
import type { RoomSettings } from '../../../model/room-settings.ts';
import { lineKeys } from './keys.ts';
import { toRules } from './script-rules.ts';

export interface ScriptCallerOptions {
  client: RedisClient;
  liveness: Liveness;
  defaults: RoomSettings;
  tickMs: number;
  /** Where the time comes from; the server's own clock if absent. */
  now?: (() => number) | undefined;
  /** How many replicas must have a join or an entry before it is acknowledged. */
  waitReplicas?: number | undefined;
}

export interface ScriptCall {
  script: Script;
  eventId: string;
  args?: ScriptArgument[];
  /** Keys of the event beyond those that every script is given. */
  moreKeys?: string[];
}

const WAIT_MS = 1_000;
const MISROUTED = /^(?:MOVED|ASK)\b/;

export class ScriptCaller {
  readonly defaults: RoomSettings;
  readonly #client: RedisClient;
  readonly #liveness: Liveness;
  readonly #process: string;
  readonly #now: (() => number) | undefined;
  readonly #waitReplicas: number;

  constructor({ client, liveness, defaults, tickMs, now, waitReplicas = 0 }: ScriptCallerOptions) {
    this.defaults = defaults;
    this.#client = client;
    this.#liveness = liveness;
    this.#process = JSON.stringify({ defaults: toRules(defaults), tickMs });
    this.#now = now;
    this.#waitReplicas = waitReplicas;
  }

  call({ script, eventId, args = [], moreKeys = [] }: ScriptCall): Promise<unknown> {
    const keys = [...lineKeys(eventId), ...moreKeys];
    return this.guard(() => runScript(this.#client, script, keys, this.#withProcess(args)));
  }

  /** Like call, and resolves only once as many replicas as wanted have what it wrote. */
  callDurably(call: ScriptCall): Promise<unknown> {
    if (this.#waitReplicas === 0) return this.call(call);
    const keys = [...lineKeys(call.eventId), ...(call.moreKeys ?? [])];
    const args = this.#withProcess(call.args ?? []);
    return this.guard(() => this.#runAndWait(call.script, keys, args));
  }

  /** Runs a command; whatever shows that Redis cannot serve becomes a StoreUnavailableError. */
  async guard<T>(command: () => Promise<T>): Promise<T> {
    const fault = this.fault();
    if (fault !== undefined) throw new StoreUnavailableError(fault);
    try {
      return await command();
    } catch (error) {
      throw toStoreError(error);
    }
  }

  fault(): string | undefined {
    return this.#liveness.fault();
  }

  #withProcess(args: ScriptArgument[]): ScriptArgument[] {
    return [this.#process, this.#now?.() ?? '', ...args];
  }

  async #runAndWait(script: Script, keys: string[], args: ScriptArgument[]): Promise<unknown> {
    const first = await this.#pipeWithWait(script, keys, args);
    if (!(first.reply instanceof Error)) return this.#requireReplicas(first);
    if (!isUnknownScript(first.reply) && !MISROUTED.test(first.reply.message)) throw first.reply;
    // On its own the script finds its way to the node, and stays known there. Repeated, it changes nothing more.
    const reply = await runScript(this.#client, script, keys, args);
    return this.#requireReplicas({ reply, acknowledged: (await this.#pipeWithWait(script, keys, args)).acknowledged });
  }

  /** In one pipeline, because WAIT speaks of its own connection's writes and, in a cluster, would go to any node. */
  async #pipeWithWait(script: Script, keys: string[], args: ScriptArgument[]) {
    const pipeline = this.#client.pipeline().evalsha(script.sha, keys.length, ...keys, ...args);
    const results = await pipeline.wait(this.#waitReplicas, WAIT_MS).exec();
    const [[error, reply] = [], [, acknowledged] = []] = results ?? [];
    return { reply: error ?? reply, acknowledged: Number(acknowledged ?? 0) };
  }

  #requireReplicas({ reply, acknowledged }: { reply: unknown; acknowledged: number }): unknown {
    if (acknowledged >= this.#waitReplicas) return reply;
    const wanted = this.#waitReplicas;
    throw new StoreUnavailableError(`only ${acknowledged} of ${wanted} replicas have taken the write in time`);
  }
}
