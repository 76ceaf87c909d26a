/** Collects the devices that ask in one turn of the event loop: those of one event are one write to the counters. */
import { StoreUnavailableError } from '../platform/store-unavailable-error.ts';
import type { Counters } from './model/counters.ts';
import type { Tier1Store } from './store/tier1-store.ts';

export type Assignment = { outcome: 'assigned'; position: number; counters: Counters } | { outcome: 'inactive' };

interface Pending {
  device: string;
  resolve(assignment: Assignment): void;
  reject(error: unknown): void;
}

/** As many as a script takes in its stride. */
const DEVICES_PER_CALL = 500;
/** Not answered yet; beyond this many, waiting longer helps nobody. */
const MOST_UNANSWERED = 50_000;

export class Assigner {
  readonly #store: Pick<Tier1Store, 'assign'>;
  readonly #pending = new Map<string, Pending[]>();
  #unanswered = 0;
  #isScheduled = false;

  constructor(store: Pick<Tier1Store, 'assign'>) {
    this.#store = store;
  }

  assign(eventId: string, device: string): Promise<Assignment> {
    if (this.#unanswered >= MOST_UNANSWERED) {
      return Promise.reject(new StoreUnavailableError(`${MOST_UNANSWERED} devices wait for a position`));
    }
    this.#unanswered += 1;
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
      this.#unanswered -= pending.length;
    }
  }
}
