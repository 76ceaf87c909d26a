/**
 * Counts joins and admissions for the statistics. Counted in memory and appended as one record every few seconds, because a record
 * for each of a hundred thousand joins would be a load of its own. A process that is killed loses the counts since its last
 * record.
 */
import type { LineObserver } from '../line/store/visits.ts';
import type { Clock } from '../platform/clock.ts';
import type { LazyDatabase } from '../platform/database/lazy-database.ts';
import { inTransaction } from '../platform/database/transaction.ts';
import type { Append } from '../records/append.ts';

interface Traffic {
  joined: number;
  admitted: number;
}

export class TrafficCounter implements LineObserver {
  #counts = new Map<string, Traffic>();

  joined(eventId: string): void {
    this.#of(eventId).joined += 1;
  }

  admitted(eventId: string): void {
    this.#of(eventId).admitted += 1;
  }

  /** Already counted as admitted. */
  entered(): void {}

  /** Appends the counts since the last call; if that fails, they are kept for the next. */
  async tell({ database, append, clock }: { database: LazyDatabase; append: Append; clock: Clock }): Promise<void> {
    const counts = this.#counts;
    if (counts.size === 0) return;
    this.#counts = new Map();
    try {
      const at = new Date(clock.now());
      await inTransaction(await database.get(), async (tx) => {
        for (const [eventId, traffic] of counts) {
          const payload = { eventId, ...traffic };
          await append(tx, { type: 'TRAFFIC_COUNTED', at, payload });
        }
      });
    } catch (error) {
      for (const [eventId, { joined, admitted }] of counts) {
        const since = this.#of(eventId);
        since.joined += joined;
        since.admitted += admitted;
      }
      throw error;
    }
  }

  #of(eventId: string): Traffic {
    const known = this.#counts.get(eventId);
    if (known !== undefined) return known;
    const traffic = { joined: 0, admitted: 0 };
    this.#counts.set(eventId, traffic);
    return traffic;
  }
}
