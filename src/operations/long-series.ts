/**
 * Samples over hours in a bounded number: samples within a step are merged into one. A series that grows doubles its step
 * when it is full, so that it covers everything since it began.
 */
import type { Sample } from './room-sample.ts';

export interface LongSeriesOptions {
  stepMs: number;
  kept: number;
  /** What to do when full: forget the oldest sample, or merge each pair. */
  whenFull: 'forget' | 'merge';
}

export class LongSeries {
  readonly #options: LongSeriesOptions;
  #stepMs: number;
  #samples: Sample[] = [];
  /** Of the current step; not shown until it is complete. */
  #open: { from: number; sample: Sample } | undefined;

  constructor(options: LongSeriesOptions) {
    this.#options = options;
    this.#stepMs = options.stepMs;
  }

  push(sample: Sample): void {
    const sum = this.#open === undefined ? sample : merge(this.#open.sample, sample);
    const from = this.#open?.from ?? sample.at - sample.seconds * 1000;
    this.#open = { from, sample: sum };
    if (sample.at - from < this.#stepMs) return;
    this.#open = undefined;
    this.#samples.push(sum);
    if (this.#samples.length > this.#options.kept) this.#shrink();
  }

  /** Samples after `at`, oldest first. */
  since(at: number): Sample[] {
    return this.#samples.filter((sample) => sample.at > at);
  }

  #shrink(): void {
    if (this.#options.whenFull === 'forget') {
      this.#samples.shift();
      return;
    }
    this.#stepMs *= 2;
    const pairs = this.#samples.filter((_, i) => i % 2 === 0);
    this.#samples = pairs.map((first, i) => {
      const second = this.#samples[2 * i + 1];
      return second === undefined ? first : merge(first, second);
    });
  }
}

/** The state of the later one, and what happened in both. */
function merge(first: Sample, second: Sample): Sample {
  return {
    ...second,
    admitted: first.admitted + second.admitted,
    noShows: first.noShows + second.noShows,
    seconds: first.seconds + second.seconds,
  };
}
