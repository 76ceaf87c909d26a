/** Batches the assignments of one turn of the event loop: one write to the counters per event. */
import { StoreUnavailableError } from '../platform/store-unavailable-error.ts';
import type { Counters } from './model/counters.ts';
import type { Tier1Store } from './store/tier1-store.ts';

export type Assignment = { outcome: 'assigned'; position: number; counters: Counters } | { outcome: 'inactive' };

interface Pending {
  device: string;
  resolve(assignment: Assignment): void;
  reject(error: unknown): void;
}

/** Keeps one script call short. */
const DEVICES_PER_CALL = 500;
/** Beyond this many pending requests, fail fast instead of queueing more. */
const MAX_PENDING = 50_000;

export class Assigner {
  readonly #store: Pick<Tier1Store, 'assign'>;
  readonly #pending = new Map<string, Pending[]>();
  #pendingCount = 0;
  #isScheduled = false;

  constructor(store: Pick<Tier1Store, 'assign'>) {
    this.#store = store;
  }

  assign(eventId: string, device: string): Promise<Assignment> {
    if (this.#pendingCount >= MAX_PENDING) {
      return Promise.reject(new StoreUnavailableError(`${MAX_PENDING} devices are already waiting for a position`));
    }
    this.#pendingCount += 1;
    this.#schedule();
    return new Promise((resolve, reject) => {
      const pending = this.#pending.get(eventId) ?? [];
      pending.push({ device, resolve, reject });
      this.#pending.set(eventId, pending);
      if (pending.length === DEVICES_PER_CALL) this.#flush(eventId);
    });
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      for (const eventId of this.#pending.keys()) this.#flush(eventId);
    });
  }

  #flush(eventId: string): void {
    const pending = this.#pending.get(eventId)!;
    this.#pending.delete(eventId);
    void this.#deliver(eventId, pending);
  }

  async #deliver(eventId: string, pending: Pending[]): Promise<void> {
    try {
      const devices = pending.map(({ device }) => device);
      const outcome = await this.#store.assign(eventId, devices);
      for (const [i, { resolve }] of pending.entries()) {
        if (outcome.outcome === 'inactive') resolve(outcome);
        else resolve({ outcome: 'assigned', position: outcome.positions[i]!, counters: outcome.counters });
      }
    } catch (error) {
      for (const { reject } of pending) reject(error);
    } finally {
      this.#pendingCount -= pending.length;
    }
  }
}
