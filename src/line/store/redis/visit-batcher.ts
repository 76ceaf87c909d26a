/**
 * Collects the visits that arrive in one turn of the event loop and sends those of one event as one script call. Sent
 * each on its own, 500 at a time, a process gets 22 thousand joins a second through; collected, 85 thousand.
 */
import { StoreUnavailableError } from '../../../platform/store-unavailable-error.ts';
import type { Visit, VisitOutcome } from './scripts/visit.ts';

const VISITS_PER_CALL = 128;
/** Visits not answered yet; beyond this many, waiting longer helps nobody. */
const MOST_UNANSWERED = 50_000;

interface PendingVisit {
  visit: Visit;
  resolve(outcome: VisitOutcome): void;
  reject(error: unknown): void;
}

export type SendVisits = (eventId: string, visits: Visit[]) => Promise<VisitOutcome[]>;

export class VisitBatcher {
  readonly #send: SendVisits;
  readonly #pending = new Map<string, PendingVisit[]>();
  #unanswered = 0;
  #isScheduled = false;

  constructor(send: SendVisits) {
    this.#send = send;
  }

  add(eventId: string, visit: Visit): Promise<VisitOutcome> {
    if (this.#unanswered >= MOST_UNANSWERED) {
      return Promise.reject(new StoreUnavailableError(`${MOST_UNANSWERED} visits wait for an answer from Redis`));
    }
    this.#unanswered += 1;
    this.#schedule();
    return new Promise((resolve, reject) => {
      const visits = this.#pending.get(eventId) ?? [];
      visits.push({ visit, resolve, reject });
      this.#pending.set(eventId, visits);
      if (visits.length === VISITS_PER_CALL) this.flush(eventId);
    });
  }

  /** Sends what has been collected for an event, so that what is sent next comes after it. */
  flush(eventId: string): void {
    const visits = this.#pending.get(eventId);
    if (visits === undefined) return;
    this.#pending.delete(eventId);
    void this.#deliver(eventId, visits);
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      for (const eventId of this.#pending.keys()) this.flush(eventId);
    });
  }

  async #deliver(eventId: string, visits: PendingVisit[]): Promise<void> {
    try {
      const outcomes = await this.#send(
        eventId,
        visits.map(({ visit }) => visit),
      );
      for (let i = 0; i < visits.length; i += 1) visits[i]!.resolve(outcomes[i]!);
    } catch (error) {
      for (const { reject } of visits) reject(error);
    } finally {
      this.#unanswered -= visits.length;
    }
  }
}
