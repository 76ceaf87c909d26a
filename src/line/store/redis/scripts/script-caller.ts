/** Calls the scripts of a line: adds the common keys and arguments, fails fast while Redis is down, waits for replicas. */
import { randomBytes } from 'node:crypto';
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
import type { RoomOverrides, RoomSettings } from '../../../model/room-settings.ts';
import { lineKeys } from './keys.ts';
import { KnownViews } from './known-views.ts';
import type { TickFence, TickSeen } from './tick-fence.ts';

export interface ScriptCallerOptions {
  client: RedisClient;
  liveness: Liveness;
  fence: TickFence;
  defaults: RoomSettings;
  tickMs: number;
  /** The clock; that of the Redis server if absent. */
  now?: (() => number) | undefined;
  /** How many replicas must have a join or an entry before it is confirmed. */
  waitReplicas?: number | undefined;
}

export interface ScriptCall {
  script: Script;
  eventId: string;
  args?: ScriptArgument[];
  /** Keys of the event besides those that every script gets. */
  moreKeys?: string[];
}

const WAIT_MS = 1_000;
const MISROUTED = /^(?:MOVED|ASK)\b/;

export class ScriptCaller {
  readonly defaults: RoomSettings;
  readonly fence: TickFence;
  readonly views = new KnownViews();
  readonly #client: RedisClient;
  readonly #liveness: Liveness;
  readonly #process: string;
  readonly #now: (() => number) | undefined;
  readonly #waitReplicas: number;
  readonly #name = randomBytes(6).toString('base64url');
  #attempts = 0;

  constructor({ client, liveness, fence, defaults, tickMs, now, waitReplicas = 0 }: ScriptCallerOptions) {
    this.defaults = defaults;
    this.fence = fence;
    this.#client = client;
    this.#liveness = liveness;
    this.#process = JSON.stringify({ defaults: toRules(defaults), tickMs });
    this.#now = now;
    this.#waitReplicas = waitReplicas;
  }

  /** Throws if a reply is of a server that is behind what this process knew when it sent the call, `lastTick`. */
  requireCurrent(eventId: string, lastTick: number, seen: TickSeen): void {
    if (this.fence.accepts(eventId, lastTick, seen)) return;
    // Otherwise the client would go on asking that server until it finds out by itself.
    if ('refreshSlotsCache' in this.#client) this.#client.refreshSlotsCache();
    const behindMs = lastTick - seen.tickedAt;
    throw new StoreUnavailableError(`a Redis server that is no longer the master answered, ${behindMs} ms behind`);
  }

  /** A new name for a call, by which its script recognizes it when the client sends it again after a lost reply. */
  nameAttempt(): string {
    this.#attempts += 1;
    return `${this.#name}${this.#attempts.toString(36)}`;
  }

  call({ script, eventId, args = [], moreKeys = [] }: ScriptCall): Promise<unknown> {
    const keys = [...lineKeys(eventId), ...moreKeys];
    return this.guard(() => runScript(this.#client, script, keys, this.#withProcess(args)), keys[0]);
  }

  /** As call, but resolves only once `waitReplicas` replicas have the write. */
  callDurably(call: ScriptCall): Promise<unknown> {
    if (this.#waitReplicas === 0) return this.call(call);
    const keys = [...lineKeys(call.eventId), ...(call.moreKeys ?? [])];
    const args = this.#withProcess(call.args ?? []);
    return this.guard(() => this.#runAndWait(call.script, keys, args), keys[0]);
  }

  /** Runs a command, on the server of `key`; turns errors of an unavailable Redis into StoreUnavailableError. */
  async guard<T>(command: () => Promise<T>, key?: string): Promise<T> {
    try {
      return await this.#liveness.run(command, key);
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
    // Outside the pipeline the client finds the right node and loads the script there. A repeated call changes nothing.
    const reply = await runScript(this.#client, script, keys, args);
    return this.#requireReplicas({ reply, acknowledged: (await this.#pipeWithWait(script, keys, args)).acknowledged });
  }

  /** In one pipeline: WAIT covers the writes of its own connection and, in a cluster, could go to any node. */
  async #pipeWithWait(script: Script, keys: string[], args: ScriptArgument[]) {
    const pipeline = this.#client.pipeline().evalsha(script.sha, keys.length, ...keys, ...args);
    const results = await pipeline.wait(this.#waitReplicas, WAIT_MS).exec();
    const [[error, reply] = [], [, acknowledged] = []] = results ?? [];
    return { reply: error ?? reply, acknowledged: Number(acknowledged ?? 0) };
  }

  #requireReplicas({ reply, acknowledged }: { reply: unknown; acknowledged: number }): unknown {
    if (acknowledged >= this.#waitReplicas) return reply;
    const wanted = this.#waitReplicas;
    throw new StoreUnavailableError(
      `only ${acknowledged} of ${wanted} replicas confirmed the write within ${WAIT_MS} ms`,
    );
  }
}

/** The settings as scripts use them: times as numbers, without what only others use. */
export function toRules(settings: RoomSettings | RoomOverrides): object {
  const { message: _, failOpen: __, opensAt, closesAt, ignoreHealthUntil, ...rules } = settings;
  const times = { ...toMs('opensAt', opensAt), ...toMs('closesAt', closesAt) };
  return { ...rules, ...times, ...toMs('ignoreHealthUntil', ignoreHealthUntil) };
}

function toMs(name: string, instant: string | undefined): object {
  return instant === undefined ? {} : { [name]: Date.parse(instant) };
}
