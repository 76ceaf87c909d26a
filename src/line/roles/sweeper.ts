/** The role that removes waiters who have been silent for too long. */
import type { Admissions } from '../store/admissions.ts';

type Sweeps = Pick<Admissions, 'listActiveEvents' | 'sweep'>;

/**
 * Returns one step. A pass visits each room once, one after the other: a sweep does a bounded part of a room, and after
 * `again` the loop pauses before it goes on, so that however many rooms are long, the store has time for visitors. A room that
 * needs more waits behind the others.
 */
export function createSweeper(admissions: Sweeps): () => Promise<'done' | 'again'> {
  let left: string[] = [];
  let failures: unknown[] = [];

  /** Whether the room has more. One that cannot be reached is over for this pass. */
  async function sweep(eventId: string): Promise<boolean> {
    try {
      const swept = await admissions.sweep(eventId);
      return swept.outcome === 'swept' && swept.more;
    } catch (error) {
      failures.push(error);
      return false;
    }
  }

  return async () => {
    if (left.length === 0) left = [...(await admissions.listActiveEvents())];
    for (let eventId = left.shift(); eventId !== undefined; eventId = left.shift()) {
      if (!(await sweep(eventId))) continue;
      left.push(eventId);
      return 'again';
    }
    const [failure] = failures;
    failures = [];
    if (failure !== undefined) throw failure;
    return 'done';
  };
}
