/**
 * A histogram of request times that is cheap to add to: plain counts per route, turned into what Prometheus reads only
 * when it asks. The library's own costs several times as much per observation, on the one path where that shows.
 */
import type { Metric, MetricValueWithName, Registry } from 'prom-client';

export interface RouteTimes {
  observe(seconds: number): void;
}

interface Counts {
  labels: Record<string, string>;
  /** One per bound, not cumulative; the last is for everything above. */
  buckets: number[];
  sum: number;
}

export interface RequestTimesOptions {
  name: string;
  help: string;
  /** Upper bounds in seconds, ascending. */
  bounds: readonly number[];
  registry: Registry;
}

export class RequestTimes {
  readonly name: string;
  readonly help: string;
  readonly type = 'histogram';
  readonly #bounds: readonly number[];
  readonly #routes: Counts[] = [];

  constructor({ name, help, bounds, registry }: RequestTimesOptions) {
    this.name = name;
    this.help = help;
    this.#bounds = bounds;
    // A registry asks its metrics for `get` and nothing else; its types want one of the library's classes.
    registry.registerMetric(this as unknown as Metric);
  }

  /** Where the times of one combination of labels go. */
  route(labels: Record<string, string>): RouteTimes {
    const bounds = this.#bounds;
    const counts: Counts = { labels, buckets: new Array(bounds.length + 1).fill(0), sum: 0 };
    this.#routes.push(counts);
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
    const values = this.#routes.flatMap((counts) => this.#valuesOf(counts));
    return { name: this.name, help: this.help, type: this.type, aggregator: 'sum', values };
  }

  reset(): void {
    this.#routes.length = 0;
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
