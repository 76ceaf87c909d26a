/** Splits long work into slices, so other requests do not wait for all of it. */
import { setImmediate } from 'node:timers/promises';

/** At 10 to 25 µs per write, one slice blocks the event loop for 5 to 12 ms. */
export const SLICE = 500;

export async function inSlices<T>(items: readonly T[], work: (slice: readonly T[]) => unknown): Promise<void> {
  for (let start = 0; start < items.length; start += SLICE) {
    if (start > 0) await setImmediate();
    await work(items.slice(start, start + SLICE));
  }
}
