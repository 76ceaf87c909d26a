/**
 * The port to the state of tier 1. Every method is one atomic step, may be retried blindly after a lost reply, and
 * resolves once its effect survives the process. Methods throw only StoreUnavailableError, when the store cannot serve.
 *
 * Deliberately absent: reading or listing positions. A signed place carries its own.
 */
import type { Counters, Pace } from '../model/counters.ts';
import type { StateMove } from '../rules/move.ts';

export interface Tier1Store {
  findCounters(eventId: string): Promise<Counters | undefined>;
  /** The events for which tier 1 is active or being switched; from an index, not a scan. */
  listActive(): Promise<string[]>;

  /** A position for each device: the one it has, or the next. One write to the counters for all. */
  assign(eventId: string, devices: readonly string[]): Promise<AssignOutcome>;
  /** Removes a device's position if it is still this one; the device can then take another. */
  release(eventId: string, device: string, position: number): Promise<void>;

  /** Advances the serving counter by the elapsed time. Safe for concurrent callers: time counts once. */
  advance(eventId: string, pace: Pace): Promise<Counters | undefined>;
  /** Advances to `target`, never past nextPosition and never back. */
  advanceTo(eventId: string, target: number): Promise<Counters | undefined>;

  /** One step of activating or deactivating; false if it does not apply to the current state. */
  move(eventId: string, step: StateMove): Promise<boolean>;

  /** Why the store cannot serve right now; undefined when it can. */
  fault(): string | undefined;
  close(): Promise<void>;
}

export type AssignOutcome =
  | {
      outcome: 'assigned';
      counters: Counters;
      /** In the order of the devices. */
      positions: number[];
    }
  | { outcome: 'inactive' };
