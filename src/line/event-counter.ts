/**
 * A counter by event that forgets events nobody uses any more: prom-client keeps every combination of labels for good, and
 * writes it on every scrape. Plain numbers, copied on a scrape. An event that comes back starts at 0, which Prometheus takes
 * for a restart.
 */
import { Counter, type Registry } from 'prom-client';
import { type Clock, stopwatch } from '../platform/clock.ts';
import { IN_USE_AFTER_MS } from './rooms-in-use.ts';

export interface EventCounterOptions {
  name: string;
  help: string;
  /** A label besides the event. */
  label?: string;
  registers: Registry[];
  /** Only measures durations. */
  clock?: Clock;
}

interface Counted {
  at: number;
  /** By value of the label; '' without one. */
  counts: Map<string, number>;
}

const CHECK_EVERY_MS = 60_000;

export class EventCounter {
  readonly #clock: Clock;
  readonly #events = new Map<string, Counted>();
  #checkAt: number;

  constructor({ name, help, label, registers, clock = stopwatch }: EventCounterOptions) {
    this.#clock = clock;
    this.#checkAt = clock.now() + CHECK_EVERY_MS;
    const copyTo = (counter: Counter) => this.#copyTo(counter, label);
    const labelNames = label === undefined ? ['event'] : ['event', label];
    new Counter({
      ...{ name, help, labelNames, registers },
      collect() {
        copyTo(this);
      },
    });
  }

  /** How many events are counted. */
  get size(): number {
    return this.#events.size;
  }

  inc(event: string, by: number, value = ''): void {
    const at = this.#clock.now();
    if (at >= this.#checkAt) this.#forgetUnused(at);
    const counted = this.#events.get(event) ?? { at, counts: new Map<string, number>() };
    counted.at = at;
    counted.counts.set(value, (counted.counts.get(value) ?? 0) + by);
    this.#events.set(event, counted);
  }

  #copyTo(counter: Counter, label: string | undefined): void {
    this.#forgetUnused(this.#clock.now());
    counter.reset();
    for (const [event, { counts }] of this.#events) {
      for (const [value, count] of counts)
        counter.inc(label === undefined ? { event } : { event, [label]: value }, count);
    }
  }

  #forgetUnused(now: number): void {
    this.#checkAt = now + CHECK_EVERY_MS;
    for (const [event, { at }] of this.#events) {
      if (now - at > IN_USE_AFTER_MS) this.#events.delete(event);
    }
  }
}
