/** The embedded store: the rules applied to state in memory, made durable by its own journal. */
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
  putCounters,
  replay,
  type Tier1Event,
  type Tier1Record,
  toCountersRecord,
  toRecords,
} from './journal-records.ts';

export interface MemoryTier1StoreOptions {
  /** The folder of the journal; created if missing. */
  dir: string;
  clock: Clock;
  log: Logger;
  /** False skips fsync; see the journal. */
  sync?: boolean;
  compactAboveBytes?: number;
}

export class MemoryTier1Store implements Tier1Store {
  readonly #events = new Map<string, Tier1Event>();
  readonly #clock: Clock;
  #journal!: Journal;

  static async open(options: MemoryTier1StoreOptions): Promise<MemoryTier1Store> {
    const store = new MemoryTier1Store(options.clock);
    await mkdir(options.dir, { recursive: true, mode: 0o700 });
    store.#journal = await openJournal({
      ...options,
      replay: (record) => replay(store.#events, record as Tier1Record),
      snapshot: () => store.#toRecords(),
    });
    return store;
  }

  private constructor(clock: Clock) {
    this.#clock = createMonotonicClock(clock);
  }

  async findCounters(eventId: string): Promise<Counters | undefined> {
    return this.#events.get(eventId)?.counters;
  }

  async listActive(): Promise<string[]> {
    return [...this.#events].filter(([, { counters }]) => counters.state !== 'inactive').map(([eventId]) => eventId);
  }

  async assign(eventId: string, devices: readonly string[]): Promise<AssignOutcome> {
    const event = this.#events.get(eventId);
    if (event === undefined) return { outcome: 'inactive' };
    const { positions: known } = event;
    const assigned = assign(event.counters, devices, (device) => known.get(device));
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
    const positions = this.#events.get(eventId)?.positions;
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
    const moved = move(eventId, this.#events.get(eventId)?.counters, step, this.#clock.now());
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
    const before = this.#events.get(eventId)?.counters;
    if (before === undefined) return undefined;
    this.#refuseWhenFaulty();
    const after = change(before);
    // An advance that serves nobody needs no record: replayed from the old time, it serves nobody again.
    if (after.servingCounter !== before.servingCounter) this.#put(after);
    else putCounters(this.#events, after);
    await this.#flushed();
    return after;
  }

  #put(counters: Counters): void {
    putCounters(this.#events, counters);
    this.#journal.append(toCountersRecord(counters));
  }

  *#toRecords(): Generator<Tier1Record> {
    for (const event of this.#events.values()) yield* toRecords(event);
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
