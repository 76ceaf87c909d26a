/**
 * Tier 1 in DynamoDB, which has no scripts and no clock: each step is a conditional update with the time of this
 * process. A device that sends two requests at once to two instances gets one position; the second position is unused,
 * and the gap is served like any other number.
 */
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Clock } from '../../../platform/clock.ts';
import { ConcurrencyLimit } from '../../../platform/concurrency/concurrency-limit.ts';
import { StoreUnavailableError } from '../../../platform/store-unavailable-error.ts';
import type { Counters, Pace } from '../../model/counters.ts';
import { advance, advanceTo } from '../../rules/advance.ts';
import { move, type StateMove } from '../../rules/move.ts';
import type { AssignOutcome, Tier1Store } from '../tier1-store.ts';
import { CountersTable } from './counters-table.ts';
import { PositionsTable } from './positions-table.ts';
import { tablesOf } from './rows.ts';

export interface DynamoDbTier1StoreOptions {
  /** Closed with the store. */
  client: DynamoDBClient;
  prefix: string;
  /** How long a device's position is kept. */
  placeTtlMs: number;
  clock: Clock;
}

const MOST_ATTEMPTS = 10;
/** Fewer than the sockets: a request queued for a socket could time out before it is sent. */
const CLAIMS_AT_ONCE = 50;

export class DynamoDbTier1Store implements Tier1Store {
  readonly #client: DynamoDBClient;
  readonly #counters: CountersTable;
  readonly #positions: PositionsTable;
  readonly #clock: Clock;
  readonly #claims = new ConcurrencyLimit(CLAIMS_AT_ONCE);
  #fault: string | undefined;

  constructor({ client, prefix, placeTtlMs, clock }: DynamoDbTier1StoreOptions) {
    const tables = tablesOf(prefix);
    this.#client = client;
    this.#counters = new CountersTable(client, tables.counters);
    this.#positions = new PositionsTable(client, tables.positions, placeTtlMs);
    this.#clock = clock;
  }

  findCounters(eventId: string): Promise<Counters | undefined> {
    return this.#guard(() => this.#counters.find(eventId));
  }

  listActive(): Promise<string[]> {
    return this.#guard(() => this.#counters.listActive());
  }

  assign(eventId: string, devices: readonly string[]): Promise<AssignOutcome> {
    return this.#guard(async () => {
      const counters = await this.#counters.find(eventId);
      if (counters?.state !== 'active') return { outcome: 'inactive' };
      const different = [...new Set(devices)];
      const known = await this.#positions.find(eventId, counters.activation, different);
      const missing = different.filter((device) => !known.has(device));
      const taken = missing.length === 0 ? counters : await this.#take(counters, missing, known);
      if (taken === undefined) return { outcome: 'inactive' };
      return { outcome: 'assigned', counters: taken, positions: devices.map((device) => known.get(device)!) };
    });
  }

  release(eventId: string, device: string, position: number): Promise<void> {
    return this.#guard(async () => {
      const counters = await this.#counters.find(eventId);
      if (counters === undefined) return;
      await this.#positions.release({ eventId, activation: counters.activation, device }, position);
    });
  }

  /** Of two concurrent calls the second finds the row changed and has nothing left to do. */
  advance(eventId: string, pace: Pace): Promise<Counters | undefined> {
    return this.#guard(async () => {
      const before = await this.#counters.find(eventId);
      const after = before && advance(before, pace, this.#clock.now());
      if (before === undefined || after === undefined || after === before) return before;
      return (await this.#counters.replaceServing(before, after)) ?? this.#counters.find(eventId);
    });
  }

  advanceTo(eventId: string, target: number): Promise<Counters | undefined> {
    return this.#guard(async () => {
      for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
        const before = await this.#counters.find(eventId);
        const after = before && advanceTo(before, target);
        if (before === undefined || after?.servingCounter === before.servingCounter) return before;
        const changed = await this.#counters.replaceServing(before, after!);
        if (changed !== undefined) return changed;
      }
      throw new Error(`the counters of ${eventId} kept changing; gave up after ${MOST_ATTEMPTS} attempts`);
    });
  }

  move(eventId: string, step: StateMove): Promise<boolean> {
    return this.#guard(async () => {
      const moved = move(eventId, await this.#counters.find(eventId), step, this.#clock.now());
      return moved !== undefined && this.#counters.move(eventId, step, moved);
    });
  }

  fault(): string | undefined {
    return this.#fault;
  }

  async close(): Promise<void> {
    this.#client.destroy();
  }

  /** Assigns positions to devices without one, with one write to the counters; adds them to `known`. */
  async #take(
    { eventId, activation }: Counters,
    missing: readonly string[],
    known: Map<string, number>,
  ): Promise<Counters | undefined> {
    const counters = await this.#counters.take(eventId, activation, missing.length);
    if (counters === undefined) return undefined;
    const first = counters.nextPosition - missing.length + 1;
    const now = this.#clock.now();
    const claim = async (device: string, i: number) => {
      known.set(device, await this.#positions.claim({ eventId, activation, device }, first + i, now));
    };
    await Promise.all(missing.map((device, i) => this.#claims.run(() => claim(device, i))));
    return counters;
  }

  async #guard<T>(work: () => Promise<T>): Promise<T> {
    try {
      const result = await work();
      this.#fault = undefined;
      return result;
    } catch (error) {
      this.#fault = `DynamoDB request failed: ${(error as Error).message}`;
      // Without the error as cause: SDK errors reference the whole connection.
      throw new StoreUnavailableError(this.#fault);
    }
  }
}
