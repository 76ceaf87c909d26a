/** The embedded store: the rules over numberings in memory, made durable by a journal of its own. */
import { mkdir } from 'node:fs/promises';
import type { Logger } from 'pino';
import { type Clock, createMonotonicClock } from '../../../platform/clock.ts';
import { type Journal, openJournal } from '../../../platform/journal/journal.ts';
import { StoreUnavailableError } from '../../../platform/store-unavailable-error.ts';
import type { Counters, Pace } from '../../model/counters.ts';
import { advance, advanceTo } from '../../rules/advance.ts';
import { assign } from '../../rules/assign.ts';
import { move, type StateMove } from '../../rules/move.ts';
import type { AssignOutcome, Tier1Store } from '../tier1-store.ts';
import {
  type Numbering,
  putCounters,
  replay,
  type Tier1Record,
  toCountersRecord,
  toRecords,
} from './journal-records.ts';

export interface MemoryTier1StoreOptions {
  /** Where the journal is kept; created if missing. */
  dir: string;
  clock: Clock;
  log: Logger;
  /** False trusts the operating system to write in time; see the journal. */
  sync?: boolean;
  compactAboveBytes?: number;
}

export class MemoryTier1Store implements Tier1Store {
  readonly #numberings = new Map<string, Numbering>();
  readonly #clock: Clock;
  #journal!: Journal;

  static async open(options: MemoryTier1StoreOptions): Promise<MemoryTier1Store> {
    const store = new MemoryTier1Store(options.clock);
    await mkdir(options.dir, { recursive: true, mode: 0o700 });
    store.#journal = await openJournal({
      ...options,
      replay: (record) => replay(store.#numberings, record as Tier1Record),
      snapshot: () => store.#toRecords(),
    });
    return store;
  }

  private constructor(clock: Clock) {
    this.#clock = createMonotonicClock(clock);
  }

  async findCounters(eventId: string): Promise<Counters | undefined> {
    return this.#numberings.get(eventId)?.counters;
  }

  async listActive(): Promise<string[]> {
    return [...this.#numberings]
      .filter(([, { counters }]) => counters.state !== 'inactive')
      .map(([eventId]) => eventId);
  }

  async assign(eventId: string, devices: readonly string[]): Promise<AssignOutcome> {
    const numbering = this.#numberings.get(eventId);
    if (numbering === undefined) return { outcome: 'inactive' };
    const { positions: known } = numbering;
    const assigned = assign(numbering.counters, devices, (device) => known.get(device));
    if (assigned === undefined) return { outcome: 'inactive' };
    this.#refuseWhenFaulty();
    const { counters, positions, fresh } = assigned;
    if (fresh.size > 0) {
      for (const [device, position] of fresh) known.set(device, position);
      this.#put(counters);
      this.#journal.append(['positions', eventId, [...fresh]] satisfies Tier1Record);
    }
    await this.#flushed();
    return { outcome: 'assigned', counters, positions };
  }

  async release(eventId: string, device: string, position: number): Promise<void> {
    const positions = this.#numberings.get(eventId)?.positions;
    if (positions?.get(device) !== position) return;
    this.#refuseWhenFaulty();
    positions.delete(device);
    this.#journal.append(['released', eventId, device] satisfies Tier1Record);
    await this.#flushed();
  }

  advance(eventId: string, pace: Pace): Promise<Counters | undefined> {
    return this.#change(eventId, (counters) => advance(counters, pace, this.#clock.now()));
  }

  advanceTo(eventId: string, target: number): Promise<Counters | undefined> {
    return this.#change(eventId, (counters) => advanceTo(counters, target));
  }

  async move(eventId: string, step: StateMove): Promise<boolean> {
    const moved = move(eventId, this.#numberings.get(eventId)?.counters, step, this.#clock.now());
    if (moved === undefined) return false;
    this.#refuseWhenFaulty();
    this.#put(moved);
    await this.#flushed();
    return true;
  }

  fault(): string | undefined {
    return this.#journal.fault();
  }

  close(): Promise<void> {
    return this.#journal.close();
  }

  async #change(eventId: string, change: (counters: Counters) => Counters): Promise<Counters | undefined> {
    const before = this.#numberings.get(eventId)?.counters;
    if (before === undefined) return undefined;
    this.#refuseWhenFaulty();
    const after = change(before);
    // Time that nobody waited through is not worth a record: told of again, it earns nothing again.
    if (after.servingCounter !== before.servingCounter) this.#put(after);
    else putCounters(this.#numberings, after);
    await this.#flushed();
    return after;
  }

  #put(counters: Counters): void {
    putCounters(this.#numberings, counters);
    this.#journal.append(toCountersRecord(counters));
  }

  *#toRecords(): Generator<Tier1Record> {
    for (const numbering of this.#numberings.values()) yield* toRecords(numbering);
  }

  #refuseWhenFaulty(): void {
    const fault = this.#journal.fault();
    if (fault !== undefined) throw new StoreUnavailableError(fault);
  }

  async #flushed(): Promise<void> {
    try {
      await this.#journal.flushed();
    } catch (error) {
      throw new StoreUnavailableError((error as Error).message);
    }
  }
}
