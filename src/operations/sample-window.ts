/** The samples of the last quarter of an hour, and no more. */
import type { Sample } from './room-sample.ts';

export const SAMPLE_MS = 2_000;
export const KEPT_SAMPLES = 450;

export interface Flow {
  admitted: number;
  noShows: number;
  /** Over how long they were counted; 0 while there is nothing to go by. */
  seconds: number;
}

export class SampleWindow {
  readonly #samples: Sample[] = [];

  push(sample: Sample): void {
    this.#samples.push(sample);
    if (this.#samples.length > KEPT_SAMPLES) this.#samples.shift();
  }

  /** Those after `at`, the oldest first. */
  since(at: number): Sample[] {
    return this.#samples.filter((sample) => sample.at > at);
  }

  /** What happened in the last `ms` before the newest sample. */
  flow(ms: number): Flow {
    const since = (this.#samples.at(-1)?.at ?? 0) - ms;
    const counted = this.#samples.filter(({ at }) => at > since);
    const sum = (field: keyof Flow) => counted.reduce((total, sample) => total + sample[field], 0);
    return { admitted: sum('admitted'), noShows: sum('noShows'), seconds: sum('seconds') };
  }
}
