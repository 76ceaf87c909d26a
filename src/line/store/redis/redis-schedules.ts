/**
 * Scheduled changes of rooms in Redis. The list is a field of the room; every change of it goes through put-room.lua, which
 * compares the version of the room: of two processes that apply the same change, one is refused and reads again.
 */
import type { RedisClient } from '../../../platform/redis/scripts.ts';
import { StoreUnavailableError } from '../../../platform/store-unavailable-error.ts';
import type { RoomChange, RoomOverrides, SettingProblem } from '../../model/room-settings.ts';
import type { ScheduledChange } from '../../model/scheduled-change.ts';
import { addScheduled, findDue, removeScheduled } from '../../rules/schedule.ts';
import type { ApplyOutcome, ScheduleOutcome } from '../schedules.ts';
import { lineKeys } from './scripts/keys.ts';

export type Judged = { ok: true; put(scheduled: readonly ScheduledChange[]): Promise<boolean> } | Refused;
type Refused = { ok: false; problems: SettingProblem[] };

export interface RedisSchedulesOptions {
  client: RedisClient;
  guard: <T>(command: () => Promise<T>, key?: string) => Promise<T>;
  now: (() => number) | undefined;
  /**
   * Judges a change of the room as of `version`. `put` makes it together with a new list; false if the room has changed
   * since. undefined: the room is not at that version.
   */
  judge: (eventId: string, version: number, change: RoomChange) => Promise<Judged | undefined>;
}

interface Read {
  version: number;
  overrides: RoomOverrides;
  list: ScheduledChange[];
}

const MOST_ATTEMPTS = 20;
const NO_CHANGE: RoomChange = {};

export class RedisSchedules {
  readonly #options: RedisSchedulesOptions;

  constructor(options: RedisSchedulesOptions) {
    this.#options = options;
  }

  async list(eventId: string): Promise<ScheduledChange[]> {
    return (await this.#read(eventId))?.list ?? [];
  }

  schedule(eventId: string, change: ScheduledChange): Promise<ScheduleOutcome> {
    return this.#retry(eventId, async () => {
      const room = await this.#read(eventId);
      if (room === undefined) return { outcome: 'no-room' };
      const judged = await this.#options.judge(eventId, room.version, change.change);
      if (judged === undefined) return undefined;
      if (!judged.ok) return { outcome: 'invalid', problems: judged.problems };
      const list = addScheduled(room.list, change);
      if (list === undefined) return { outcome: 'full' };
      return (await this.#putList(eventId, room.version, list)) ? { outcome: 'scheduled' } : undefined;
    });
  }

  async cancel(eventId: string, id: string): Promise<ScheduledChange | undefined> {
    const { found } = await this.#retry(eventId, async () => {
      const room = await this.#read(eventId);
      const found = room?.list.find((one) => one.id === id);
      if (room === undefined || found === undefined) return { found: undefined };
      return (await this.#putList(eventId, room.version, removeScheduled(room.list, id))) ? { found } : undefined;
    });
    return found;
  }

  async applyDue(eventId: string): Promise<ApplyOutcome> {
    return this.#retry(eventId, async () => {
      const room = await this.#read(eventId);
      if (room === undefined || room.list.length === 0) return { outcome: 'nothing' };
      const scheduled = findDue(room.list, await this.#now());
      if (scheduled === undefined) return { outcome: 'nothing' };
      const rest = removeScheduled(room.list, scheduled.id);
      const judged = await this.#options.judge(eventId, room.version, scheduled.change);
      if (judged === undefined) return undefined;
      if (judged.ok)
        return (await judged.put(rest)) ? { outcome: 'applied', scheduled, before: room.overrides } : undefined;
      const { problems } = judged;
      return (await this.#putList(eventId, room.version, rest))
        ? { outcome: 'invalid', scheduled, problems }
        : undefined;
    });
  }

  async #putList(eventId: string, version: number, list: readonly ScheduledChange[]): Promise<boolean> {
    const judged = await this.#options.judge(eventId, version, NO_CHANGE);
    return judged?.ok === true && (await judged.put(list));
  }

  async #read(eventId: string): Promise<Read | undefined> {
    const [key] = lineKeys(eventId) as [string];
    const { client, guard } = this.#options;
    const [version, overrides, list] = await guard(() => client.hmget(key, 'version', 'overrides', 'scheduled'), key);
    if (version === null || version === undefined) return undefined;
    return { version: Number(version), overrides: JSON.parse(overrides ?? '{}'), list: JSON.parse(list ?? '[]') };
  }

  async #now(): Promise<number> {
    const { client, guard, now } = this.#options;
    if (now !== undefined) return now();
    const [seconds, micros] = await guard(() => client.time());
    return Number(seconds) * 1000 + Math.floor(Number(micros) / 1000);
  }

  /** `attempt` resolves to undefined if the room changed meanwhile. */
  async #retry<T>(eventId: string, attempt: () => Promise<T | undefined>): Promise<T> {
    for (let i = 0; i < MOST_ATTEMPTS; i += 1) {
      const outcome = await attempt();
      if (outcome !== undefined) return outcome;
    }
    throw new StoreUnavailableError(`room ${eventId}: it changed ${MOST_ATTEMPTS} times meanwhile; retry`);
  }
}
