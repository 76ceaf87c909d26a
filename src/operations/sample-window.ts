/** A sliding window over the samples of the last 15 minutes. */
import type { Sample } from './room-sample.ts';

export const SAMPLE_MS = 2_000;
export const KEPT_SAMPLES = 450;

export interface Flow {
  admitted: number;
  noShows: number;
  /** The time covered; 0 without data. */
  seconds: number;
}

export class SampleWindow {
  readonly #samples: Sample[] = [];

  push(sample: Sample): void {
    this.#samples.push(sample);
    if (this.#samples.length > KEPT_SAMPLES) this.#samples.shift();
  }

  /** Samples after `at`, oldest first. */
  since(at: number): Sample[] {
    return this.#samples.filter((sample) => sample.at > at);
  }

  /** Totals over the last `ms` before the newest sample. */
  flow(ms: number): Flow {
    const since = (this.#samples.at(-1)?.at ?? 0) - ms;
    const counted = this.#samples.filter(({ at }) => at > since);
    const sum = (field: keyof Flow) => counted.reduce((total, sample) => total + sample[field], 0);
    return { admitted: sum('admitted'), noShows: sum('noShows'), seconds: sum('seconds') };
  }
}
