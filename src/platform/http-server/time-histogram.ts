/**
 * A histogram of durations that is cheap to record: plain counters per combination of labels, converted to Prometheus
 * values only on a scrape. prom-client's own histogram costs several times as much per observation.
 */
import type { Metric, MetricValueWithName, Registry } from 'prom-client';

export interface LabelledHistogram {
  observe(seconds: number): void;
}

interface Counts {
  labels: Record<string, string>;
  /** One per bound, not cumulative; the last counts everything above the highest bound. */
  buckets: number[];
  sum: number;
}

export interface TimeHistogramOptions {
  name: string;
  help: string;
  /** Upper bounds in seconds, ascending. */
  bounds: readonly number[];
  registry: Registry;
}

export class TimeHistogram {
  readonly name: string;
  readonly help: string;
  readonly type = 'histogram';
  readonly #bounds: readonly number[];
  readonly #histograms: Counts[] = [];

  constructor({ name, help, bounds, registry }: TimeHistogramOptions) {
    this.name = name;
    this.help = help;
    this.#bounds = bounds;
    // A registry only calls `get`, but its type requires one of prom-client's classes.
    registry.registerMetric(this as unknown as Metric);
  }

  withLabels(labels: Record<string, string>): LabelledHistogram {
    const bounds = this.#bounds;
    const counts: Counts = { labels, buckets: new Array(bounds.length + 1).fill(0), sum: 0 };
    this.#histograms.push(counts);
    return {
      observe(seconds) {
        let bucket = 0;
        while (bucket < bounds.length && seconds > bounds[bucket]!) bucket += 1;
        counts.buckets[bucket]! += 1;
        counts.sum += seconds;
      },
    };
  }

  async get() {
    const values = this.#histograms.flatMap((counts) => this.#valuesOf(counts));
    return { name: this.name, help: this.help, type: this.type, aggregator: 'sum', values };
  }

  reset(): void {
    this.#histograms.length = 0;
  }

  #valuesOf({ labels, buckets, sum }: Counts): MetricValueWithName<string>[] {
    let count = 0;
    const cumulative = buckets.map((inBucket, index) => {
      count += inBucket;
      const le = index < this.#bounds.length ? String(this.#bounds[index]) : '+Inf';
      return { labels: { ...labels, le }, value: count, metricName: `${this.name}_bucket` };
    });
    return [
      ...cumulative,
      { labels, value: sum, metricName: `${this.name}_sum` },
      { labels, value: count, metricName: `${this.name}_count` },
    ];
  }
}
