/**
 * Activates and deactivates tier 1 for an event, in step with the line, whose number sequence it continues. The two
 * live in different stores, so it takes several steps. Each is stored first and repeatable: the operator's next call or
 * the advancer's next pass finishes a switch that was interrupted.
 *
 * Activate: store `opening`; the line stops assigning numbers and returns its last one; positions start after it.
 * Deactivate: `closing` stops positions; the line assigns numbers after the last position; then everyone may pass.
 */
import { randomBytes } from 'node:crypto';
import type { Counters } from './model/counters.ts';
import type { Tier1Store } from './store/tier1-store.ts';

/** What switching needs from the line. Declared here, because the line's HTTP code imports tier 1, not the reverse. */
export interface LineNumbers {
  handOverNumbers(
    eventId: string,
    activation: string,
  ): Promise<{ outcome: 'handed-over'; last: number } | { outcome: 'no-room' }>;
  takeNumbersBack(eventId: string, activation: string, last: number): Promise<void>;
}

export type SwitchOutcome =
  | { outcome: 'switched'; counters: Counters }
  /** undefined: tier 1 was never active. */
  | { outcome: 'already'; counters: Counters | undefined }
  | { outcome: 'no-room' };

const MOST_STEPS = 20;

export class Switching {
  readonly #store: Tier1Store;
  readonly #line: LineNumbers;

  constructor(store: Tier1Store, line: LineNumbers) {
    this.#store = store;
    this.#line = line;
  }

  activate(eventId: string): Promise<SwitchOutcome> {
    return this.#switch(eventId, 'active', async (counters) => {
      const activation = randomBytes(6).toString('base64url');
      await this.#store.move(eventId, { to: 'opening', activation, after: counters?.activation });
    });
  }

  deactivate(eventId: string): Promise<SwitchOutcome> {
    return this.#switch(eventId, 'inactive', async (counters) => {
      if (counters !== undefined) await this.#store.move(eventId, { to: 'closing', activation: counters.activation });
    });
  }

  /** Finishes an interrupted switch, if there is one. */
  async settle(eventId: string, counters: Counters): Promise<'settled' | 'no-room'> {
    const { activation } = counters;
    if (counters.state === 'opening') {
      const handed = await this.#line.handOverNumbers(eventId, activation);
      if (handed.outcome === 'no-room') {
        await this.#store.move(eventId, { to: 'closing', activation });
        await this.#store.move(eventId, { to: 'inactive', activation });
        return 'no-room';
      }
      const opened = await this.#store.move(eventId, { to: 'active', activation, base: handed.last });
      if (!opened) await this.#mendHandOver(eventId, activation);
    }
    if (counters.state === 'closing') {
      await this.#line.takeNumbersBack(eventId, activation, counters.nextPosition);
      await this.#store.move(eventId, { to: 'inactive', activation });
    }
    return 'settled';
  }

  async #switch(
    eventId: string,
    wanted: 'active' | 'inactive',
    begin: (counters: Counters | undefined) => Promise<void>,
  ): Promise<SwitchOutcome> {
    for (let step = 0; step < MOST_STEPS; step += 1) {
      const counters = await this.#store.findCounters(eventId);
      if (counters?.state === wanted) return { outcome: step === 0 ? 'already' : 'switched', counters };
      if (counters === undefined && wanted === 'inactive') return { outcome: 'already', counters };
      const isUnderWay = counters?.state === (wanted === 'active' ? 'opening' : 'closing');
      const blocks = wanted === 'active' && counters?.state === 'closing';
      if (isUnderWay || blocks) {
        if ((await this.settle(eventId, counters!)) === 'no-room') return { outcome: 'no-room' };
      } else await begin(counters);
    }
    throw new Error(`tier 1 of ${eventId} is being switched by others; gave up after ${MOST_STEPS} steps`);
  }

  /** Another process has moved on since the hand-over: bring the line back in step with the stored state. */
  async #mendHandOver(eventId: string, activation: string): Promise<void> {
    const counters = await this.#store.findCounters(eventId);
    if (counters === undefined || counters.state === 'inactive') {
      await this.#line.takeNumbersBack(eventId, activation, counters?.nextPosition ?? 0);
    } else if (counters.activation !== activation) await this.#line.handOverNumbers(eventId, counters.activation);
  }
}
