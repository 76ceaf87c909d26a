/**
 * The port to where numberings live. Every verb is one atomic step and may be repeated blindly after a lost reply; it
 * resolves once its effect would survive the process. Only a store that cannot answer throws (StoreUnavailableError).
 *
 * Deliberately absent: reading one device's position, and listing positions: a place is signed and carries its own.
 */
import type { Counters, Pace } from '../model/counters.ts';
import type { StateMove } from '../rules/move.ts';

export interface Tier1Store {
  findCounters(eventId: string): Promise<Counters | undefined>;
  /** The events whose numbering is on, or is being switched; from an index. */
  listActive(): Promise<string[]>;

  /** A position for each device, all with one write to the counters: the one it has, or the next. */
  assign(eventId: string, devices: readonly string[]): Promise<AssignOutcome>;
  /** Forgets a device's position, if it is still this one, so that it can be given another. */
  release(eventId: string, device: string, position: number): Promise<void>;

  /** What the serving counter has earned by now. Several callers at once are safe: time is earned once. */
  advance(eventId: string, pace: Pace): Promise<Counters | undefined>;
  /** As far as `target`, never past nextPosition and never back. */
  advanceTo(eventId: string, target: number): Promise<Counters | undefined>;

  /** One step of switching on or off; false if the numbering does not stand where the step begins. */
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
